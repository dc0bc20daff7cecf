/** Adds the bytes from `from` up to and without `to` to stretches: where each begins and ends, in turn and in order. Those that touch or overlap become one. */
export function addStretch(ends: number[], from: number, to: number): void {
  const before = firstFrom(ends, from);
  const first = before - (before % 2);
  const after = firstFrom(ends, to + 1);
  const beyond = after + (after % 2);
  ends.splice(first, beyond - first, Math.min(ends[first] ?? from, from), Math.max(ends[beyond - 1] ?? to, to));
}

/** Whether one of the stretches has all of the bytes from `from` up to and without `to`. */
export function hasStretch(ends: readonly number[], from: number, to: number): boolean {
  const end = firstFrom(ends, from + 1);
  return end % 2 === 1 && to <= (ends[end] ?? 0);
}

/** The place of the first number that is not below `least`; the length where all are. */
function firstFrom(ends: readonly number[], minimum: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) < minimum) low = middle + 1;
    else high = middle;
  }
  return low;
}
