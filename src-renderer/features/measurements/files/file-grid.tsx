import { useEffect, useImperativeHandle, useMemo, useRef, useState, type MouseEvent, type Ref } from 'react';
import { useUnits } from '../../../context/context.ts';
import type { MeasurementDetail } from '../../../api/requests/types.ts';
import { useVirtualRows } from '../../../ui/lists/virtual-list.tsx';
import list from '../../../ui/lists/virtual-list.module.css';
import { chosenOf, withItems, type Choice, type Item } from './choice.ts';
import { useFileMenu } from './file-menu.tsx';
import { FileGridRow } from './file-grid-row.tsx';
import { moveBy } from './moves.ts';
import { itemOf, type TreeRow } from './tree.ts';
import { useGridKeys } from './use-grid-keys.ts';

const rowHeight = 36;

/** What can be chosen, and how; null where nothing can be. */
export interface Choosing {
  readonly choice: Choice;
  readonly onChange: (change: (choice: Choice) => Choice) => void;
  readonly chooseAll: () => void;
}

export interface FileGridProps {
  readonly label: string;
  readonly measurement: MeasurementDetail;
  readonly rows: readonly TreeRow[];
  /** Whether files are shown with their whole paths, without folders. */
  readonly flat: boolean;
  /** Id of the row with the keyboard cursor. */
  readonly cursor: string | null;
  readonly onCursor: (id: string) => void;
  readonly choosing: Choosing | null;
  readonly onFold: (path: string, folded: boolean) => void;
  readonly onLook: (file: number) => void;
  /** Gets the rows that are rendered. */
  readonly onView: (first: number, last: number) => void;
  readonly ref: Ref<{ focus: () => void }>;
}

/** Files and folders as a tree with one tab stop; only the rows in view exist. */
export function FileGrid(props: FileGridProps) {
  const { label, measurement, rows, flat, choosing, onCursor, onFold, onLook, onView } = props;
  const units = useUnits();
  const menu = useFileMenu(measurement, onLook);
  const view = useRef<{ focus: () => void }>(null);
  useImperativeHandle(props.ref, () => ({ focus: () => view.current?.focus() }), []);
  const virtual = useVirtualRows({
    count: rows.length,
    layout: () => ({ rowHeight, heads: false }),
    listKey: label,
    ref: view,
  });
  const { first, last, grid } = virtual;
  useEffect(() => onView(first, last), [first, last, onView]);
  const at = useMemo(() => rows.findIndex(({ id }) => id === props.cursor), [rows, props.cursor]);
  const cursor = at < 0 ? null : at;
  const [anchor, setAnchor] = useState<string | null>(null);

  // Also a row that another part of the screen has chosen, and that may have to be loaded first.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies -- Rows that come above it do not scroll the list.
  useEffect(() => {
    if (at >= 0) virtual.show(at);
  }, [props.cursor, at < 0]);
  const moveTo = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    virtual.show(index);
    onCursor(row.id);
  };
  const choose = (index: number): void => {
    const row = rows[index];
    const item = row === undefined ? null : itemOf(row);
    if (row === undefined || item === null) return;
    setAnchor(row.id);
    choosing?.onChange((choice) => withItems(choice, [item], chosenOf(choice, item) !== 'all'));
  };
  const chooseTo = (index: number): void => {
    const from = rows.findIndex(({ id }) => id === (anchor ?? props.cursor));
    const items = itemsBetween(rows, from < 0 ? index : from, index);
    if (anchor === null) setAnchor(props.cursor ?? rows[index]?.id ?? null);
    choosing?.onChange((choice) => withItems(choice, items, true));
  };
  const open = (index: number): void => {
    const row = rows[index];
    if (row?.kind === 'folder') onFold(row.path, row.unfolded);
    if (row?.kind === 'file') onLook(row.file.index);
  };
  const keys = useGridKeys({
    rows,
    cursor,
    onePage: virtual.onePage,
    moveTo,
    choose,
    chooseTo,
    open,
    onFold,
    show: virtual.show,
    chooseAll: () => choosing?.chooseAll(),
  });
  const onRowClick = (event: MouseEvent, index: number): void => {
    grid.current?.focus({ preventScroll: true });
    keys.stop();
    moveTo(index);
    if (choosing !== null && event.shiftKey) return chooseTo(index);
    if (choosing !== null && (event.ctrlKey || event.metaKey)) return choose(index);
    return open(index);
  };
  return (
    <div
      ref={grid}
      role="treegrid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={rows.some(({ kind }) => kind === 'more') ? -1 : rows.length}
      aria-multiselectable={choosing !== null}
      className={list['grid']}
      data-files
      onKeyDown={keys.onKeyDown}
      onFocus={(event) => {
        const start = moveBy(rows, null, 1);
        if (event.target === event.currentTarget && cursor === null && start !== null) onCursor(rows[start]?.id ?? '');
      }}
      {...(cursor !== null && cursor >= first && cursor <= last
        ? { 'aria-activedescendant': `files-row-${cursor}` }
        : {})}
    >
      <div role="presentation" className={list['space']} style={{ height: virtual.height }}>
        {virtual.rows.map(({ index, top }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const item = itemOf(row);
          return (
            <FileGridRow
              key={row.id}
              row={row}
              index={index}
              top={top}
              height={rowHeight}
              flat={flat}
              units={units}
              measurement={measurement}
              active={index === cursor}
              chosen={choosing === null || item === null ? null : chosenOf(choosing.choice, item)}
              onClick={onRowClick}
              onChoose={(event) => {
                grid.current?.focus({ preventScroll: true });
                moveTo(index);
                if (event.shiftKey) chooseTo(index);
                else choose(index);
              }}
              menu={menu}
            />
          );
        })}
      </div>
    </div>
  );
}

function itemsBetween(rows: readonly TreeRow[], one: number, other: number): readonly Item[] {
  return rows.slice(Math.min(one, other), Math.max(one, other) + 1).flatMap((row) => itemOf(row) ?? []);
}
