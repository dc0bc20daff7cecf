/**
 * @returns a function that answers whether another action is allowed: at most `max` within `within`
 * ms. Refused actions do not count.
 */
export function rateLimit(max: number, within: number, now: () => number): () => boolean {
  let times: number[] = [];
  return () => {
    times = times.filter((at) => now() - at < within);
    if (times.length >= max) return false;
    times.push(now());
    return true;
  };
}
