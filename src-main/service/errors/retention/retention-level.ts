/**
 * Returns how many events each group may keep so that all groups together keep at most `limit`: the
 * largest level that fits. Groups with fewer events keep all of them, so an error that occurs a
 * thousand times a minute displaces its own events and not those of a rare one.
 *
 * @returns at least 1, for the first event of each group.
 */
export function retentionLevel(counts: readonly number[], limit: number): number {
  const kept = (level: number) => counts.reduce((sum, count) => sum + Math.min(count, level), 0);
  let low = 1;
  let high = counts.reduce((limits, count) => Math.max(limits, count), 1);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (kept(middle) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
