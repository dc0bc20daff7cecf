import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { listPageSize } from '../../../api/queries/queries.ts';
import type { ListQuery } from '../../../api/queries/list-query.ts';
import type { MeasurementSummary } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { readRange } from '../../../ui/lists/read-range.ts';

/** The first page, which has the total. While a new search runs, the previous result is shown. */
export function useFirstPage(list: ListQuery) {
  const { queries } = useApp();
  return useQuery({ ...queries.measurementPage(list, 0), placeholderData: keepPreviousData });
}

/**
 * Rows of the visible pages; others load on scrolling, and requests for pages out of view are
 * aborted.
 */
export function useMeasurementRows(
  list: ListQuery,
  firstPage: readonly MeasurementSummary[],
  firstIndex: number,
  lastIndex: number,
) {
  const { queries } = useApp();
  const client = useQueryClient();
  const from = Math.max(1, Math.floor(firstIndex / listPageSize));
  const to = Math.floor(lastIndex / listPageSize);
  const numbers = Array.from({ length: Math.max(0, to - from + 1) }, (_, step) => from + step);
  const pages = useQueries({ queries: numbers.map((page) => queries.measurementPage(list, page)) });

  const rowAt = (index: number): MeasurementSummary | undefined => {
    const page = Math.floor(index / listPageSize);
    const items = page === 0 ? firstPage : pages[page - from]?.data?.items;
    return items?.[index % listPageSize];
  };
  /** Ids of a range of rows; pages that are not loaded are fetched. */
  const idsBetween = async (first: number, last: number): Promise<string[]> => {
    const read = async (page: number) => (await client.fetchQuery(queries.measurementPage(list, page))).items;
    return (await readRange({ first, last, pageSize: listPageSize }, read)).map(({ row }) => row.id);
  };
  const failure = pages.find((page) => page.error !== null)?.error ?? null;
  return { rowAt, idsBetween, failure };
}
