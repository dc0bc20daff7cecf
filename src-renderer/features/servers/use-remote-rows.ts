import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ListQuery } from '../../api/queries/list-query.ts';
import type { RemoteMeasurement, RemoteMeasurementPage } from '../../api/requests/types.ts';
import { useApp } from '../../context/context.ts';
import { readRange } from '../../ui/lists/read-range.ts';

/**
 * The first page of a server's measurements; while a new search runs, the previous result is shown.
 */
export function useFirstRemotePage(server: number, list: ListQuery, enabled: boolean) {
  const { queries } = useApp();
  return useQuery({ ...queries.remoteMeasurements(server, list, 0), placeholderData: keepPreviousData, enabled });
}

/** Rows of the visible pages. The server decides the length of a page. */
export function useRemoteRows(
  server: number,
  list: ListQuery,
  first: RemoteMeasurementPage,
  firstIndex: number,
  lastIndex: number,
) {
  const { queries } = useApp();
  const client = useQueryClient();
  const size = Math.max(1, first.per_page);
  const from = Math.max(1, Math.floor(firstIndex / size));
  const to = Math.floor(lastIndex / size);
  const page = (number: number) => queries.remoteMeasurements(server, list, number);
  const pages = useQueries({
    queries: Array.from({ length: Math.max(0, to - from + 1) }, (_, step) => page(from + step)),
  });
  const rowAt = (index: number): RemoteMeasurement | undefined => {
    const number = Math.floor(index / size);
    return (number === 0 ? first : pages[number - from]?.data)?.items[index % size];
  };
  /**
   * The rows of a range; pages that are not loaded are read one after the other, to limit the load
   * on a remote server.
   */
  const rowsBetween = async (begin: number, end: number): Promise<RemoteMeasurement[]> => {
    const read = async (number: number) => (await client.fetchQuery(page(number))).items;
    return (await readRange({ first: begin, last: end, pageSize: size, parallel: 1 }, read)).map(({ row }) => row);
  };
  const failure = pages.find(({ error, data }) => error !== null && data === undefined)?.error ?? null;
  return { rowAt, rowsBetween, failure };
}
