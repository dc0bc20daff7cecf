import { useMemo, useState } from 'react';

/** A column and a direction. */
export interface SortOrder<By extends string = string> {
  readonly by: By;
  readonly order: 'asc' | 'desc';
}

export type Compared = string | number | null;

/** A column to sort by: the value to compare, and the direction of the first click. */
export interface SortColumn<Row> {
  readonly value: (row: Row) => Compared;
  readonly first: 'asc' | 'desc';
}

const texts = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Numbers by size, texts in natural order (`scan_2` before `scan_10`); null before everything. */
export function compareValues(one: Compared, other: Compared): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return texts.compare(String(one), String(other));
}

/**
 * The order after a click on a column head: its first direction, or the opposite if it was sorted
 * by already.
 */
export function nextSort<By extends string>(now: SortOrder<By>, by: By, first: 'asc' | 'desc'): SortOrder<By> {
  if (now.by !== by) return { by, order: first };
  return { by, order: now.order === 'asc' ? 'desc' : 'asc' };
}

/** The order of a table that is kept in the address, as the table's properties. */
export function sortInAddress<By extends string>(
  sort: SortOrder<By>,
  firstOrder: (by: By) => 'asc' | 'desc',
  show: (next: { readonly sort: By; readonly order: 'asc' | 'desc' }) => void,
) {
  const onSort = (by: By): void => {
    const next = nextSort(sort, by, firstOrder(by));
    show({ sort: next.by, order: next.order });
  };
  return { sort, onSort };
}

/** Sorts a list that is loaded completely; rows with equal values keep their order. */
export function useSortedRows<Row, By extends string>(
  rows: readonly Row[],
  columns: Readonly<Record<By, SortColumn<Row>>>,
  initial: SortOrder<NoInfer<By>>,
) {
  const [sort, setSort] = useState(initial);
  const { value } = columns[sort.by];
  const sorted = useMemo(() => {
    const sign = sort.order === 'asc' ? 1 : -1;
    return rows.toSorted((one, other) => sign * compareValues(value(one), value(other)));
  }, [rows, value, sort.order]);
  return { rows: sorted, sort, onSort: (by: By): void => setSort((now) => nextSort(now, by, columns[by].first)) };
}
