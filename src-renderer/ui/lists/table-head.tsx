import { ariaSort, SortButton } from './sort-button.tsx';
import type { SortOrder } from './sorted-rows.ts';

/**
 * A column head: its text, a text with what it sorts by, a text for screen readers only (above
 * buttons), or a text with a class.
 */
export type TableColumn =
  | string
  | readonly [words: string, sort: string]
  | { readonly unseen: string }
  | { readonly words: string; readonly className?: string | undefined; readonly sort?: string };

/** Unique among the heads of a table. */
export function columnKey(column: TableColumn): string {
  if (typeof column === 'string') return column;
  if ('unseen' in column) return column.unseen;
  return 'words' in column ? column.words : column[0];
}

/** The head of a column; where the table can be sorted by it, a button that does so. */
export function TableHead({
  column,
  sort,
  onSort,
}: {
  readonly column: TableColumn;
  readonly sort: SortOrder | null;
  readonly onSort?: (by: string) => void;
}) {
  if (typeof column === 'string') return <th scope="col">{column}</th>;
  if ('unseen' in column)
    return (
      <th scope="col">
        <span className="visually-hidden">{column.unseen}</span>
      </th>
    );
  const [words, by] = 'words' in column ? [column.words, column.sort] : column;
  const className = 'words' in column ? column.className : undefined;
  if (by === undefined || sort === null)
    return (
      <th scope="col" className={className}>
        {words}
      </th>
    );
  const order = sort.by === by ? sort.order : null;
  return (
    <th scope="col" className={className} aria-sort={ariaSort(order)}>
      <SortButton word={words} order={order} onSort={() => onSort?.(by)} />
    </th>
  );
}
