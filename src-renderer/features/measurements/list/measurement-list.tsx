import { useMemo, type MouseEvent, type Ref } from 'react';
import { useStore } from 'zustand';
import type { ListQuery } from '../../../api/queries/list-query.ts';
import type { MeasurementSort, MeasurementSummary } from '../../../api/requests/types.ts';
import { useApp, useToast } from '../../../context/context.ts';
import { countOf, formatTotal } from '../../../../src-shared/format/quantities.ts';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import { moveCursor } from '../../../ui/lists/row-selection.ts';
import { useStable } from '../../../ui/hooks/use-stable.ts';
import { narrowQuery, useMedia } from '../../../ui/hooks/use-media.ts';
import { useVirtualRows, VirtualGrid } from '../../../ui/lists/virtual-list.tsx';
import { columnTemplate, visibleColumns } from './columns.ts';
import type { DragOut } from '../../../context/drag-out.ts';
import { ListHeader } from './list-header.tsx';
import styles from './measurement-list.module.css';
import { MeasurementRow } from './measurement-row.tsx';
import { rangeTo, selectOnly, selectRange, toggle, type Cursor, type Selection } from './selection.ts';
import { useMeasurementRows } from './use-measurement-pages.ts';
import { toApiError } from '../../../api/requests/problem.ts';

/** Selecting a range requests every id in it, a hundred at a time. */
const maxSelected = 10_000;

export interface MeasurementListProps {
  readonly list: ListQuery;
  readonly firstPage: readonly MeasurementSummary[];
  readonly total: number;
  /** Whether there may be more than `total`. */
  readonly more: boolean;
  readonly busy: boolean;
  readonly openId: string | null;
  readonly selection: Selection;
  readonly cursor: Cursor | null;
  readonly dragOut: DragOut;
  readonly onSelect: (selection: Selection, cursor: Cursor | null) => void;
  readonly onOpen: (id: string, how: 'asked' | 'followed') => void;
  readonly onSort: (sort: MeasurementSort) => void;
  readonly ref: Ref<{ focus: () => void }>;
}

/** Measurements as a grid: only the visible rows are rendered, and pages load on scrolling. */
export function MeasurementList(props: MeasurementListProps) {
  const { list, firstPage, total, more, busy, openId, selection, dragOut, onOpen, onSort, ref } = props;
  const { onMac, preferences } = useApp();
  const toast = useToast();
  const narrow = useMedia(narrowQuery);
  const virtual = useVirtualRows({
    count: total,
    layout: () => ({ rowHeight: narrow ? 52 : 36, heads: !narrow }),
    listKey: `${list.search} ${list.sort} ${list.order}`,
    ref,
  });
  const { rows, width } = virtual;
  const widths = useStore(preferences, (state) => state.columns);
  const shown = useMemo(() => visibleColumns(width), [width]);
  const { rowAt, idsBetween, failure } = useMeasurementRows(list, firstPage, virtual.first, virtual.last);
  const onSelect = (next: Selection, index: number | null): void =>
    props.onSelect(next, index === null ? null : { index, id: rowAt(index)?.id ?? null });
  // The row's position changes when others are added or removed above it.
  const cursorId = props.cursor?.id ?? null;
  const stays = cursorId === null || rowAt(props.cursor?.index ?? 0)?.id === cursorId;
  const cursor =
    (stays ? undefined : rows.find(({ index }) => rowAt(index)?.id === cursorId)?.index) ?? props.cursor?.index ?? null;

  function extendTo(index: number): void {
    const { from, to } = rangeTo({ ...selection, anchor: selection.anchor ?? cursor }, index);
    onSelect(selection, index);
    idsBetween(from, to).then(
      (ids) => onSelect(selectRange({ ...selection, anchor: selection.anchor ?? cursor }, ids, index), index),
      (error: unknown) =>
        toast({ kind: 'bad', text: 'The rows between could not be read', detail: toApiError(error).detail }),
    );
  }

  function moveTo(index: number): void {
    virtual.show(index);
    const row = rowAt(index);
    onSelect(row === undefined ? selection : selectOnly(row.id, index), index);
    if (row !== undefined && openId !== null) onOpen(row.id, 'followed');
  }

  function step(by: number, extend: boolean): void {
    const index = moveCursor(cursor, by, total);
    if (!extend) return moveTo(index);
    virtual.show(index);
    return extendTo(index);
  }

  const current = cursor === null ? undefined : rowAt(cursor);
  const selectAll = (): void => {
    const all = Math.min(total, maxSelected);
    idsBetween(0, all - 1).then(
      (ids) => {
        onSelect(selectRange(selection, ids, 0), cursor);
        if (all < total || more)
          toast({
            kind: 'plain',
            text: `The first ${countOf(all, 'measurement')} are selected`,
            detail: `There are ${formatTotal(total, more)}.`,
          });
      },
      (error: unknown) => toast({ kind: 'bad', text: 'Not all could be selected', detail: toApiError(error).detail }),
    );
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
      <ProblemNote error={failure} className={styles['failure']} />
      <VirtualGrid
        list={virtual}
        label="Measurements"
        total={total}
        busy={busy}
        columns={columnTemplate(shown, widths)}
        heads={<ListHeader shown={shown} list={list} onSort={onSort} />}
        active={current === undefined ? null : `measurement-${cursor}`}
        step={step}
        toFirst={() => moveTo(0)}
        toLast={() => moveTo(Math.max(0, total - 1))}
        toggle={() => {
          if (current !== undefined && cursor !== null) onSelect(toggle(selection, current.id, cursor), cursor);
        }}
        selectAll={selectAll}
        open={() => {
          if (current !== undefined) onOpen(current.id, 'asked');
        }}
      >
        {rows.map(({ index, top }) => {
          const row = rowAt(index);
          return (
            <MeasurementRow
              key={index}
              index={index}
              top={top}
              height={virtual.rowHeight}
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
      </VirtualGrid>
    </>
  );
}
