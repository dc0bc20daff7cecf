import type { ReactNode } from 'react';
import { useRowKeys } from '../app/use-row-keys.ts';
import styles from './table.module.css';

/** The head of a column: its words, words with a class of its own, or words that only a screen reader says, above buttons. */
export type RowTableColumn = string | { readonly words: string; readonly className: string | undefined } | { readonly unseen: string };

export interface RowTableProps<Row, Key extends string | number> {
  readonly label: string;
  readonly columns: readonly RowTableColumn[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => Key;
  /** The row that the keys mean. */
  readonly current: Key | null;
  readonly onCurrent: (key: Key) => void;
  /** What Enter does on a row. */
  readonly onEnter?: (row: Row) => void;
  readonly onClick?: (row: Row) => void;
  readonly onDoubleClick?: (row: Row) => void;
  /** The class of what holds the table, in place of one that fills the screen and scrolls. */
  readonly className?: string | undefined;
  readonly rowClass?: (row: Row) => string | undefined;
  /** The cells of a row; the first is its head. */
  readonly children: (row: Row) => ReactNode;
}

/** A list of a few columns whose rows are walked with arrows and letters: one row is in the tab order, and Enter means it. */
export function RowTable<Row, Key extends string | number>(props: RowTableProps<Row, Key>) {
  const { label, columns, rows, keyOf, current, onCurrent, onEnter, onClick, onDoubleClick, className = styles['scroller'], rowClass, children } = props;
  const position = Math.max(
    0,
    rows.findIndex((row) => keyOf(row) === current),
  );
  const enter = (): void => {
    const row = rows[position];
    if (row !== undefined) onEnter?.(row);
  };
  const { body, onKeyDown } = useRowKeys(position, rows.length, onEnter === undefined ? undefined : enter);
  return (
    <div className={className}>
      <table className={styles['table']} role="grid" aria-label={label} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={typeof column === 'string' ? column : 'unseen' in column ? column.unseen : column.words} column={column} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, index) => {
            const key = keyOf(row);
            const isCurrent = key === current;
            return (
              <tr
                key={key}
                tabIndex={index === position ? 0 : -1}
                aria-selected={isCurrent}
                className={`${rowClass?.(row) ?? ''} ${isCurrent ? styles['current'] : ''}`}
                onFocus={() => onCurrent(key)}
                onClick={onClick && (() => onClick(row))}
                onDoubleClick={onDoubleClick && (() => onDoubleClick(row))}
              >
                {children(row)}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function Head({ column }: { readonly column: RowTableColumn }) {
  if (typeof column === 'string') return <th scope="col">{column}</th>;
  if ('words' in column)
    return (
      <th scope="col" className={column.className}>
        {column.words}
      </th>
    );
  return (
    <th scope="col">
      <span className="visually-hidden">{column.unseen}</span>
    </th>
  );
}
