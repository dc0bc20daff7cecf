/** @returns what says whether one more is still few: no more than `most` within so many milliseconds. What it says no to does not count. */
export function rateLimit(max: number, within: number, now: () => number): () => boolean {
  let times: number[] = [];
  return () => {
    times = times.filter((at) => now() - at < within);
    if (times.length >= max) return false;
    times.push(now());
    return true;
  };
}
