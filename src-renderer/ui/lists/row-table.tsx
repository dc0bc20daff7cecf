import { useState, type MouseEvent, type ReactNode } from 'react';
import { useApp } from '../../context/context.ts';
import { useRowKeys } from './use-row-keys.ts';
import { extendTo, onlyRow, toggleRow, type RowSelection } from './row-selection.ts';
import type { SortOrder } from './sorted-rows.ts';
import { columnKey, TableHead, type TableColumn } from './table-head.tsx';
import styles from './table.module.css';

/** The row with the keyboard cursor, of tables whose screens act on it. */
export interface RowCursor<Key = number> {
  readonly current: Key | null;
  readonly onCurrent: (key: Key) => void;
}

/**
 * The order and the selected rows, by the text of their keys, of tables whose screens keep them.
 * Without a selection rows cannot be selected.
 */
export interface SortedSelection<By extends string> {
  readonly sort: SortOrder<By>;
  readonly onSort: (by: By) => void;
  readonly selection: RowSelection;
  readonly onSelect: (selection: RowSelection) => void;
}

export interface RowTableProps<Row, Key extends string | number, By extends string>
  extends Partial<RowCursor<Key>>, Partial<SortedSelection<By>> {
  readonly label: string;
  readonly columns: readonly (TableColumn &
    (string | readonly [string, By] | { readonly unseen: string } | { readonly sort?: By }))[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => Key;
  /** The action of Enter on a row. */
  readonly onEnter?: (row: Row) => void;
  readonly onClick?: (row: Row) => void;
  readonly onDoubleClick?: (row: Row) => void;
  /** The class of the table's container, instead of one that fills the screen and scrolls. */
  readonly className?: string | undefined;
  readonly rowClass?: (row: Row) => string | undefined;
  /** The cells of a row; the first is its header. */
  readonly children: (row: Row) => ReactNode;
}

/**
 * A list of a few columns with arrow-key and letter navigation: one row is in the tab order, and
 * Enter acts on it. Shift and Ctrl select several.
 */
export function RowTable<Row, Key extends string | number, By extends string = never>(
  props: RowTableProps<Row, Key, By>,
) {
  const {
    label,
    columns,
    rows,
    keyOf,
    sort,
    onSort,
    selection,
    onEnter,
    onDoubleClick,
    className = styles['scroller'],
    rowClass,
  } = props;
  const { onMac } = useApp();
  const own = useState<Key | null>(null);
  const [current, onCurrent] = [props.current ?? own[0], props.onCurrent ?? own[1]];
  const position = Math.max(
    0,
    rows.findIndex((row) => keyOf(row) === current),
  );
  const at = rows[position];
  const many = selection !== undefined && selection.ids.size > 1;
  const select = selectionOf(
    props,
    rows.map((row) => String(keyOf(row))),
  );
  const { body, onKeyDown } = useRowKeys(position, rows.length, {
    open: onEnter === undefined ? undefined : () => at !== undefined && onEnter(at),
    ...(select === null
      ? {}
      : {
          toggle: () => at !== undefined && select.toggle(String(keyOf(at))),
          selectAll: select.all,
          extendTo: select.extendToIndex(position),
        }),
  });
  const onRowClick = (event: MouseEvent, row: Row): void => {
    const key = String(keyOf(row));
    if (select !== null && event.shiftKey) return select.extend(key);
    if (select !== null && (onMac ? event.metaKey : event.ctrlKey)) return select.toggle(key);
    // A button in a row acts on its row only, whatever is selected.
    if (!(event.target instanceof Element && event.target.closest('button, a') !== null)) select?.only(key);
    return props.onClick?.(row);
  };
  return (
    <div className={className}>
      <table
        className={styles['table']}
        role="grid"
        aria-label={label}
        aria-multiselectable={select === null ? undefined : true}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <TableHead
                key={columnKey(column)}
                column={column}
                sort={sort ?? null}
                onSort={(by) => onSort?.(by as By)}
              />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, index) => {
            const key = keyOf(row);
            const isSelected = selection?.ids.has(String(key)) ?? false;
            const isMeant = isSelected || (!many && key === current);
            return (
              <tr
                key={key}
                tabIndex={index === position ? 0 : -1}
                aria-selected={isMeant}
                className={`${rowClass?.(row) ?? ''} ${isMeant ? styles['current'] : ''} ${many && isSelected ? styles['selected'] : ''}`}
                onFocus={() => onCurrent(key)}
                onMouseDown={(event) => {
                  // Shift would select the text in between.
                  if (select !== null && event.shiftKey) event.preventDefault();
                }}
                onClick={(event) => onRowClick(event, row)}
                onDoubleClick={onDoubleClick && (() => onDoubleClick(row))}
              >
                {props.children(row)}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/**
 * Selection by keys and clicks; null where rows cannot be selected.
 * @param order keys in the displayed order.
 */
function selectionOf(
  { selection, onSelect }: Pick<RowTableProps<never, string, never>, 'selection' | 'onSelect'>,
  order: readonly string[],
) {
  if (selection === undefined || onSelect === undefined) return null;
  return {
    only: (key: string): void => onSelect(onlyRow(key)),
    toggle: (key: string): void => onSelect(toggleRow(selection, key)),
    extend: (key: string): void => onSelect(extendTo(selection, order, key)),
    /** @param from the row with the cursor: a range without an anchor begins there. */
    extendToIndex:
      (from: number) =>
      (index: number): void => {
        const begun = selection.anchor === null ? onlyRow(order[from] ?? '') : selection;
        onSelect(extendTo(begun, order, order[index] ?? ''));
      },
    all: (): void => onSelect({ ...selection, ids: new Set(order) }),
  };
}
