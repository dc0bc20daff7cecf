/** Number of parallel requests when many rows are read. */
const concurrentRequests = 4;

export interface Range {
  /** Both ends are included. */
  readonly first: number;
  readonly last: number;
  readonly pageSize: number;
  /** Pages that are read at the same time. */
  readonly parallel?: number;
}

/** Reads the rows of a range of a list that has pages, with the place of each in the list. */
export async function readRange<Row>(
  { first, last, pageSize, parallel = concurrentRequests }: Range,
  read: (page: number) => Promise<readonly Row[]>,
): Promise<{ readonly row: Row; readonly index: number }[]> {
  const found: { readonly row: Row; readonly index: number }[] = [];
  const lastPage = Math.floor(last / pageSize);
  for (let page = Math.floor(first / pageSize); page <= lastPage; page += parallel) {
    const together = Array.from({ length: Math.min(parallel, lastPage - page + 1) }, (_, step) => page + step);
    const pages = await Promise.all(together.map(async (number) => ({ number, rows: await read(number) })));
    for (const { number, rows } of pages) {
      const listed = rows.map((row, place) => ({ row, index: number * pageSize + place }));
      found.push(...listed.filter(({ index }) => index >= first && index <= last));
    }
  }
  return found;
}
