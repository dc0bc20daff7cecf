import {
  useEffect,
  useImperativeHandle,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  type RefObject,
} from 'react';
import { commands as catalogue, type CommandId } from '../../context/command-catalogue.ts';
import { useApp } from '../../context/context.ts';
import { commandFor } from '../../context/shortcuts.ts';
import { usePrinting } from '../hooks/printing.ts';
import { rowsInView, scrollToRow, useView } from './rows-in-view.ts';
import styles from './virtual-list.module.css';

const listCommands = catalogue.filter((command) => command.scope === 'list');
/** Maximum of printed rows; a list may have a hundred thousand. */
const maxPrinted = 1000;
/** Height of the row of heads, in pixels. */
const listHeadHeight = 30;

export interface VirtualRowsOptions {
  readonly count: number;
  /** Row height in pixels, and whether column heads are shown, in a list of this width. */
  readonly layout: (width: number) => { readonly rowHeight: number; readonly heads: boolean };
  /** Changes with search, filter and order: the list then scrolls to its top. */
  readonly listKey: string;
  readonly ref: Ref<{ focus: () => void }>;
}

export interface VirtualRows {
  readonly grid: RefObject<HTMLDivElement | null>;
  readonly heads: boolean;
  readonly rowHeight: number;
  /** Width of the list, in pixels. */
  readonly width: number;
  /** Total height, in pixels. */
  readonly height: number;
  /** The rendered rows: those in view and a few around them. */
  readonly rows: readonly { readonly index: number; readonly top: number }[];
  readonly first: number;
  readonly last: number;
  readonly show: (index: number) => void;
  /** Number of rows that Page Up and Page Down move. */
  readonly onePage: () => number;
}

/** The visible rows of a long list. */
export function useVirtualRows({ count, layout, listKey, ref }: VirtualRowsOptions): VirtualRows {
  const { list: grid, width, rowHeight, seen, view, scrollTo } = useView((of) => layout(of).rowHeight);
  const { heads } = layout(width);
  const above = heads ? listHeadHeight : 0;
  useImperativeHandle(ref, () => ({ focus: () => grid.current?.focus() }), [grid]);
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- Another list begins at its top.
  useEffect(() => scrollTo(0), [listKey, scrollTo]);
  const printing = usePrinting();
  const { first, last } = printing ? { first: 0, last: Math.min(count, maxPrinted) - 1 } : rowsInView(seen, count);
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => {
    const index = first + step;
    return { index, top: above + index * rowHeight };
  });
  return {
    grid,
    heads,
    rowHeight,
    width,
    height: above + count * rowHeight,
    rows,
    first,
    last,
    show: (index) => {
      const to = scrollToRow(view.current, above, rowHeight, index);
      if (to !== null) scrollTo(to);
    },
    onePage: () => Math.max(1, Math.floor((view.current.height - above) / rowHeight) - 1),
  };
}

/** Actions of the list keys on rows. */
export interface RowActions {
  /** Moves the cursor by so many rows; Shift extends the selection. */
  readonly step: (by: number, extend: boolean) => void;
  readonly toFirst: () => void;
  readonly toLast: () => void;
  readonly toggle: () => void;
  readonly selectAll: () => void;
  readonly open: () => void;
}

export interface VirtualGridProps extends RowActions {
  readonly list: VirtualRows;
  readonly label: string;
  /** Null while the total is unknown. */
  readonly total: number | null;
  readonly busy?: boolean;
  /** CSS tracks of the columns. */
  readonly columns: string;
  /** The heads of the columns: cells of a row. */
  readonly heads: ReactNode;
  /** Element id of the row with the cursor, if it is in view. */
  readonly active: string | null;
  readonly children: ReactNode;
}

/**
 * A long list as a grid with one tab stop: the list keys move through it, and only the rows in view
 * exist.
 */
export function VirtualGrid({
  list,
  label,
  total,
  busy = false,
  columns,
  heads,
  active,
  children,
  ...act
}: VirtualGridProps) {
  const { onMac } = useApp();
  const { grid, height, heads: withHeads, onePage } = list;
  const actions: Partial<Record<CommandId, () => void>> = {
    'list-next': () => act.step(1, false),
    'list-previous': () => act.step(-1, false),
    'list-extend-next': () => act.step(1, true),
    'list-extend-previous': () => act.step(-1, true),
    'list-page-down': () => act.step(onePage(), false),
    'list-page-up': () => act.step(-onePage(), false),
    'list-first': act.toFirst,
    'list-last': act.toLast,
    'list-toggle': act.toggle,
    'list-select-all': act.selectAll,
    'list-open': act.open,
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget) return;
    const command = commandFor(listCommands, event, onMac);
    const run = command === undefined ? undefined : actions[command.id];
    if (run === undefined) return;
    event.preventDefault();
    run();
  };
  return (
    <div
      ref={grid}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={total === null ? -1 : total + 1}
      aria-multiselectable
      aria-busy={busy}
      className={styles['grid']}
      onKeyDown={onKeyDown}
      {...(active === null ? {} : { 'aria-activedescendant': active })}
    >
      <div role="presentation" className={styles['space']} style={{ height, ['--columns' as string]: columns }}>
        {withHeads ? (
          <div role="row" aria-rowindex={1} className={styles['heads']} style={{ height: listHeadHeight }}>
            {heads}
          </div>
        ) : null}
        {children}
      </div>
    </div>
  );
}

/** Where a row stands in its list, and how it looks. */
export interface RowPlace {
  readonly index: number;
  readonly top: number;
  readonly height: number;
  /** Whether one cell contains everything, instead of columns. */
  readonly narrow: boolean;
  readonly selected: boolean;
  /** Whether the row's detail is open. */
  readonly open: boolean;
  /** Whether the row has the keyboard cursor. */
  readonly active: boolean;
}

export interface VirtualRowProps extends RowPlace {
  readonly id: string;
  readonly drag?: (event: { preventDefault: () => void }) => void;
  readonly onClick?: (event: MouseEvent) => void;
  readonly onMenu?: () => void;
  readonly children: ReactNode;
}

/**
 * A row at its position in the list. The grid has the focus and handles the keys; a row handles
 * clicks only.
 */
export function VirtualRow({
  id,
  index,
  top,
  height,
  narrow,
  selected,
  open,
  active,
  drag,
  onClick,
  onMenu,
  children,
}: VirtualRowProps) {
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="row"
      id={id}
      aria-rowindex={index + 2}
      aria-selected={selected}
      aria-current={open ? 'true' : undefined}
      className={`${narrow ? styles['narrowRow'] : styles['row']} ${selected || open ? styles['selected'] : ''} ${active ? styles['active'] : ''}`}
      style={{ transform: `translateY(${top}px)`, height }}
      draggable={drag !== undefined}
      onDragStart={drag}
      onClick={onClick}
      onContextMenu={onMenu}
    >
      {children}
    </div>
  );
}

/** Grey bars in place of a row whose page is not loaded. */
export function BlankRow({ cells, ...row }: Omit<VirtualRowProps, 'children'> & { readonly cells: number }) {
  return (
    <VirtualRow {...row}>
      {Array.from({ length: cells }, (_, cell) => (
        // oxlint-disable-next-line react/no-array-index-key -- A blank cell is its place.
        <div key={cell} role="gridcell" aria-label="Not loaded yet" className={styles['cell']}>
          <span className={styles['blank']} />
        </div>
      ))}
    </VirtualRow>
  );
}
