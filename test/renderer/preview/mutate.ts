/** A generator of numbers that depend on their seed alone, from 0 up to but excluding 1. */
function numbersOf(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Flips, overwrites, cuts or repeats bytes; the same seed gives the same file. */
export function mutate(bytes: Uint8Array, seed: number): Uint8Array {
  const next = numbersOf(seed);
  const changed = Uint8Array.from(bytes);
  const count = 1 + Math.floor(next() * 12);
  // The beginning decides most.
  const place = (): number => Math.floor(changed.length * (next() < 0.5 ? next() ** 4 : next()));
  for (let step = 0; step < count; step += 1) {
    const at = place();
    const kind = next();
    if (kind < 0.5) changed[at] = Math.floor(next() * 256);
    else if (kind < 0.7) changed.fill(next() < 0.5 ? 0xff : 0, at, at + 1 + Math.floor(next() * 8));
    else if (kind < 0.9) changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(next() * 8));
    else changed.copyWithin(at, place(), place());
  }
  return next() < 0.15 ? changed.subarray(0, place()) : changed;
}
