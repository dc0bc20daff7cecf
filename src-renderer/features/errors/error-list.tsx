import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { useEffect, useImperativeHandle, useMemo, useRef, type KeyboardEvent, type MouseEvent, type Ref } from 'react';
import type { ErrorSort, ErrorSummary } from '../../api/types.ts';
import { commands as catalogue, type CommandId } from '../../app/command-catalogue.ts';
import { useApp } from '../../app/context.ts';
import { commandFor } from '../../app/shortcuts.ts';
import { useElementWidth } from '../../ui/use-element-width.ts';
import { narrowQuery, useMedia } from '../../ui/use-media.ts';
import { useNow } from '../../ui/use-now.ts';
import { useStable } from '../../ui/use-stable.ts';
import styles from './error-list.module.css';
import { ErrorRow } from './error-row.tsx';
import { shownColumns } from './list-columns.ts';
import { extendTo, onlyRow, rowAfter, toggleRow, type RowSelection } from './row-selection.ts';

const headerHeight = 30;
const listCommands = catalogue.filter((command) => command.scope === 'list');

export interface ErrorListProps {
  readonly errors: readonly ErrorSummary[];
  readonly total: number | null;
  readonly sort: ErrorSort;
  /** Changes with search and order: the list then begins at its top. */
  readonly listKey: string;
  readonly openId: string | null;
  readonly selection: RowSelection;
  readonly onSelect: (selection: RowSelection) => void;
  readonly onSelectAll: () => void;
  readonly onOpen: (id: string, how: 'asked' | 'followed') => void;
  readonly onSort: (sort: ErrorSort) => void;
  /** The end of what is there has come into view. */
  readonly onEnd: () => void;
  readonly ref: Ref<{ focus: () => void }>;
}

/** Errors as a grid: only the rows in view exist; more are asked for at the end. */
export function ErrorList(props: ErrorListProps) {
  const { errors, total, sort, listKey, openId, selection, onSelect, onSelectAll, onOpen, onSort, onEnd, ref } = props;
  const { onMac } = useApp();
  const now = useNow();
  const narrow = useMedia(narrowQuery);
  const rowHeight = narrow ? 78 : 52;
  const padding = narrow ? 0 : headerHeight;
  const grid = useRef<HTMLDivElement>(null);
  const width = useElementWidth(grid);
  const shown = useMemo(() => shownColumns(width), [width]);
  const order = useMemo(() => errors.map(({ id }) => id), [errors]);
  useImperativeHandle(ref, () => ({ focus: () => grid.current?.focus() }), []);

  const virtual = useVirtualizer({
    count: errors.length,
    getScrollElement: () => grid.current,
    getItemKey: (index) => order[index] ?? index,
    estimateSize: () => rowHeight,
    overscan: 10,
    paddingStart: padding,
    scrollPaddingStart: padding,
    useFlushSync: false,
  });
  useEffect(() => {
    virtual.measure();
  }, [virtual, rowHeight]);
  const rows = virtual.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= errors.length - 15) onEnd();
  }, [last, errors.length, onEnd]);
  useEffect(() => {
    if (grid.current !== null) grid.current.scrollTop = 0;
  }, [listKey]);

  function show(id: string): void {
    virtual.scrollToIndex(order.indexOf(id));
  }
  function moveTo(id: string | undefined): void {
    if (id === undefined) return;
    show(id);
    onSelect(onlyRow(id));
    if (openId !== null) onOpen(id, 'followed');
  }
  function step(by: number, extend: boolean): void {
    const id = rowAfter(selection, order, by);
    if (id === undefined || !extend) return moveTo(id);
    show(id);
    return onSelect(extendTo(selection, order, id));
  }
  const onePage = (): number => Math.max(1, Math.floor(((grid.current?.clientHeight ?? 400) - padding) / rowHeight) - 1);
  const keyActions: Partial<Record<CommandId, () => void>> = {
    'list-next': () => step(1, false),
    'list-previous': () => step(-1, false),
    'list-extend-next': () => step(1, true),
    'list-extend-previous': () => step(-1, true),
    'list-page-down': () => step(onePage(), false),
    'list-page-up': () => step(-onePage(), false),
    'list-first': () => moveTo(order[0]),
    'list-last': () => moveTo(order.at(-1)),
    'list-toggle': () => {
      if (selection.cursor !== null) onSelect(toggleRow(selection, selection.cursor));
    },
    'list-select-all': onSelectAll,
    'list-open': () => {
      if (selection.cursor !== null) onOpen(selection.cursor, 'asked');
    },
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget) return;
    const command = commandFor(listCommands, event, onMac);
    const act = command === undefined ? undefined : keyActions[command.id];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const onRowClick = useStable((event: MouseEvent, id: string): void => {
    if (event.shiftKey) return onSelect(extendTo(selection, order, id));
    if (onMac ? event.metaKey : event.ctrlKey) return onSelect(toggleRow(selection, id));
    onSelect(onlyRow(id));
    return onOpen(id, 'asked');
  });
  const onRowMenu = useStable((id: string): void => {
    if (!selection.ids.has(id)) onSelect(onlyRow(id));
  });
  const inView = rows.some(({ index }) => order[index] === selection.cursor);

  return (
    <div
      ref={grid}
      role="grid"
      tabIndex={0}
      aria-label="Errors"
      aria-rowcount={total === null ? -1 : total + 1}
      aria-multiselectable
      className={styles['grid']}
      onKeyDown={onKeyDown}
      {...(inView ? { 'aria-activedescendant': `error-${selection.cursor}` } : {})}
    >
      <div
        role="presentation"
        className={styles['space']}
        style={{ height: virtual.getTotalSize(), ['--columns' as string]: shown.map(({ track }) => track).join(' ') }}
      >
        {narrow ? null : (
          <div role="row" aria-rowindex={1} className={styles['header']} style={{ height: headerHeight }}>
            {shown.map((column) => (
              <div key={column.id} role="presentation" className={column.sort === null ? styles['cell'] : styles['numeric']}>
                {column.sort === null ? (
                  <div role="columnheader" className={styles['head']}>
                    {column.word}
                  </div>
                ) : (
                  <div role="columnheader" aria-sort={column.sort === sort ? 'descending' : 'none'}>
                    <button type="button" className={styles['sort']} onClick={() => onSort(column.sort ?? 'last_seen')}>
                      {column.word}
                      {column.sort === sort ? <ArrowDown aria-hidden /> : null}
                    </button>
                  </div>
                )}
              </div>
            ))}
          </div>
        )}
        {rows.map(({ index, start, key }) => {
          const row = errors[index];
          return row === undefined ? null : (
            <ErrorRow
              key={key}
              row={row}
              index={index}
              top={start}
              height={rowHeight}
              shown={shown}
              narrow={narrow}
              selected={selection.ids.has(row.id)}
              open={openId === row.id}
              active={selection.cursor === row.id}
              now={now}
              onClick={onRowClick}
              onMenu={onRowMenu}
            />
          );
        })}
      </div>
    </div>
  );
}
