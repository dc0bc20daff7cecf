/** Splits a long list, so that one part at a time does not block the event loop. */
export function* slices<T>(list: readonly T[], length: number): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += length) yield list.slice(from, from + length);
}
