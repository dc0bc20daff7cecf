/**
 * Adds the range from `from` up to but excluding `to` to a list of alternating, ascending starts
 * and ends. Ranges that touch or overlap are merged.
 */
export function addRange(ends: number[], from: number, to: number): void {
  const before = firstFrom(ends, from);
  const first = before - (before % 2);
  const after = firstFrom(ends, to + 1);
  const beyond = after + (after % 2);
  ends.splice(first, beyond - first, Math.min(ends[first] ?? from, from), Math.max(ends[beyond - 1] ?? to, to));
}

/** Whether one range of the list contains all bytes from `from` up to but excluding `to`. */
export function hasRange(ends: readonly number[], from: number, to: number): boolean {
  const end = firstFrom(ends, from + 1);
  return end % 2 === 1 && to <= (ends[end] ?? 0);
}

/**
 * Binary search for the index of the first number that is at least `minimum`; the length if there
 * is none.
 */
function firstFrom(ends: readonly number[], minimum: number): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) < minimum) low = middle + 1;
    else high = middle;
  }
  return low;
}
