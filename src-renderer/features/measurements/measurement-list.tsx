import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useImperativeHandle, useMemo, useRef, type KeyboardEvent, type MouseEvent, type Ref } from 'react';
import { useStore } from 'zustand';
import type { ListQuery } from '../../api/queries.ts';
import type { MeasurementSort, MeasurementSummary } from '../../api/types.ts';
import { commands as catalogue, type CommandId } from '../../app/command-catalogue.ts';
import { useApp, useToast } from '../../app/context.ts';
import { commandFor } from '../../app/shortcuts.ts';
import { countOf, formatCount } from '../../ui/format/quantities.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useStable } from '../../ui/use-stable.ts';
import { useElementWidth } from '../../ui/use-element-width.ts';
import { narrowQuery, useMedia } from '../../ui/use-media.ts';
import { columnTemplate, visibleColumns } from './columns.ts';
import type { DragOut } from './drag-out.ts';
import { ListHeader } from './list-header.tsx';
import styles from './measurement-list.module.css';
import { MeasurementRow } from './measurement-row.tsx';
import { moveCursor, rangeTo, selectOnly, selectRange, toggle, type Selection } from './selection.ts';
import { useMeasurementRows } from './use-measurement-pages.ts';
import { toApiError } from '../../api/problem.ts';

const headerHeight = 30;
/** Selecting asks for every id, a hundred at a time. */
const mostSelected = 10_000;
const listCommands = catalogue.filter((command) => command.scope === 'list');

export interface MeasurementListProps {
  readonly list: ListQuery;
  readonly firstPage: readonly MeasurementSummary[];
  readonly total: number;
  readonly busy: boolean;
  readonly openId: string | null;
  readonly selection: Selection;
  readonly cursor: number | null;
  readonly dragOut: DragOut;
  readonly onSelect: (selection: Selection, cursor: number | null) => void;
  readonly onOpen: (id: string, how: 'asked' | 'followed') => void;
  readonly onSort: (sort: MeasurementSort) => void;
  readonly ref: Ref<{ focus: () => void }>;
}

/** Measurements as a grid: only the rows in view exist, their pages come as they are scrolled to. */
export function MeasurementList(props: MeasurementListProps) {
  const { list, firstPage, total, busy, openId, selection, cursor, dragOut, onSelect, onOpen, onSort, ref } = props;
  const { onMac, preferences } = useApp();
  const toast = useToast();
  const narrow = useMedia(narrowQuery);
  const rowHeight = narrow ? 52 : 36;
  const padding = narrow ? 0 : headerHeight;
  const grid = useRef<HTMLDivElement>(null);
  const width = useElementWidth(grid);
  const widths = useStore(preferences, (state) => state.columns);
  const shown = useMemo(() => visibleColumns(width), [width]);
  useImperativeHandle(ref, () => ({ focus: () => grid.current?.focus() }), []);

  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => grid.current,
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
  const { rowAt, idsBetween, failure } = useMeasurementRows(list, firstPage, rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0);

  // A new search or order begins at the top.
  useEffect(() => {
    if (grid.current !== null) grid.current.scrollTop = 0;
  }, [list.search, list.sort, list.order]);

  function extendTo(index: number): void {
    const { from, to } = rangeTo({ ...selection, anchor: selection.anchor ?? cursor }, index);
    onSelect(selection, index);
    idsBetween(from, to).then(
      (ids) => onSelect(selectRange({ ...selection, anchor: selection.anchor ?? cursor }, ids, index), index),
      (error: unknown) => toast({ kind: 'bad', text: 'The rows between could not be read', detail: toApiError(error).detail }),
    );
  }

  function moveTo(index: number): void {
    virtual.scrollToIndex(index);
    const row = rowAt(index);
    onSelect(row === undefined ? selection : selectOnly(row.id, index), index);
    if (row !== undefined && openId !== null) onOpen(row.id, 'followed');
  }

  function step(by: number, extend: boolean): void {
    const index = moveCursor(cursor, by, total);
    if (!extend) return moveTo(index);
    virtual.scrollToIndex(index);
    return extendTo(index);
  }

  // Measured when a key asks for it: doing so at every step of scrolling would lay the page out twice.
  const onePage = (): number => Math.max(1, Math.floor(((grid.current?.clientHeight ?? 400) - padding) / rowHeight) - 1);
  const current = cursor === null ? undefined : rowAt(cursor);
  const keyActions: Partial<Record<CommandId, () => void>> = {
    'list-next': () => step(1, false),
    'list-previous': () => step(-1, false),
    'list-extend-next': () => step(1, true),
    'list-extend-previous': () => step(-1, true),
    'list-page-down': () => step(onePage(), false),
    'list-page-up': () => step(-onePage(), false),
    'list-first': () => moveTo(0),
    'list-last': () => moveTo(Math.max(0, total - 1)),
    'list-toggle': () => {
      if (current !== undefined && cursor !== null) onSelect(toggle(selection, current.id, cursor), cursor);
    },
    'list-select-all': () => {
      const all = Math.min(total, mostSelected);
      idsBetween(0, all - 1).then(
        (ids) => {
          onSelect(selectRange(selection, ids, 0), cursor);
          if (all < total) toast({ kind: 'plain', text: `The first ${countOf(all, 'measurement')} are selected`, detail: `${formatCount(total)} match.` });
        },
        (error: unknown) => toast({ kind: 'bad', text: 'Not all could be selected', detail: toApiError(error).detail }),
      );
    },
    'list-open': () => {
      if (current !== undefined) onOpen(current.id, 'asked');
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
  const onRowClick = useStable((event: MouseEvent, row: MeasurementSummary, index: number): void => {
    if (event.shiftKey) return extendTo(index);
    if (onMac ? event.metaKey : event.ctrlKey) return onSelect(toggle(selection, row.id, index), index);
    onSelect(selectOnly(row.id, index), index);
    return onOpen(row.id, 'asked');
  });
  const onRowMenu = useStable((row: MeasurementSummary, index: number): void => {
    if (!selection.ids.has(row.id)) onSelect(selectOnly(row.id, index), index);
  });

  return (
    <>
      {failure === null ? null : (
        <div className={styles['failure']}>
          <ProblemNote error={failure} />
        </div>
      )}
      <div
        ref={grid}
        role="grid"
        tabIndex={0}
        aria-label="Measurements"
        aria-rowcount={total + 1}
        aria-multiselectable
        aria-busy={busy}
        className={styles['grid']}
        onKeyDown={onKeyDown}
        {...(current === undefined ? {} : { 'aria-activedescendant': `measurement-${cursor}` })}
      >
        <div role="presentation" className={styles['space']} style={{ height: virtual.getTotalSize(), ['--columns' as string]: columnTemplate(shown, widths) }}>
          {narrow ? null : <ListHeader shown={shown} list={list} height={headerHeight} onSort={onSort} />}
          {rows.map(({ index, start }) => {
            const row = rowAt(index);
            return (
              <MeasurementRow
                key={index}
                index={index}
                top={start}
                height={rowHeight}
                row={row}
                shown={shown}
                narrow={narrow}
                selected={row !== undefined && selection.ids.has(row.id)}
                open={openId !== null && row?.id === openId}
                active={cursor === index}
                dragOut={dragOut}
                onClick={onRowClick}
                onMenu={onRowMenu}
              />
            );
          })}
        </div>
      </div>
    </>
  );
}
