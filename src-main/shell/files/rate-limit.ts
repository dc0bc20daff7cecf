/**
 * @returns a function that answers whether another action is allowed: at most `max` within `withinMs`
 * ms. Refused actions do not count.
 */
export function rateLimit(max: number, withinMs: number, now: () => number): () => boolean {
  let times: number[] = [];
  return () => {
    times = times.filter((at) => now() - at < withinMs);
    if (times.length >= max) return false;
    times.push(now());
    return true;
  };
}
