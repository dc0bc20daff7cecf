import { useMemo, useRef, useState, type MouseEvent, type Ref } from 'react';
import { toApiError } from '../../api/requests/problem.ts';
import type { ListQuery } from '../../api/queries/list-query.ts';
import type {
  MeasurementSort,
  RemoteMeasurement,
  RemoteMeasurementPage,
  RemoteServer,
} from '../../api/requests/types.ts';
import { useApp, useToast } from '../../context/context.ts';
import { countOf, formatTotal } from '../../../src-shared/format/quantities.ts';
import { ProblemNote } from '../../ui/notes/problem-note.tsx';
import { moveCursor, onlyRow, toggleRow, type RowSelection } from '../../ui/lists/row-selection.ts';
import { useSelectionActions } from '../../ui/lists/use-selection-actions.ts';
import screen from '../../ui/layout/screen.module.css';
import { SortHead } from '../../ui/lists/sort-head.tsx';
import { useStable } from '../../ui/hooks/use-stable.ts';
import { useVirtualRows, VirtualGrid } from '../../ui/lists/virtual-list.tsx';
import type { Wanted } from '../transfers/adding/fetch-dialog.tsx';
import { columns, RemoteRow } from './remote-row.tsx';
import { useRemoteRows } from './use-remote-rows.ts';

const columnsFrom = 480;
/** Maximum selection: selecting all requests every page from a remote server. */
const maxSelected = 1000;

const wantedOf = (row: RemoteMeasurement): Wanted => ({
  id: row.id,
  title: row.title,
  files: row.file_count,
  bytes: row.total_bytes,
});

export interface RemoteListProps {
  readonly server: RemoteServer;
  readonly list: ListQuery;
  readonly onSort: (by: MeasurementSort) => void;
  readonly firstPage: RemoteMeasurementPage;
  readonly busy: boolean;
  readonly selection: RowSelection;
  /** The selected rows, also those out of view. */
  readonly known: Map<string, Wanted>;
  readonly onSelect: (selection: RowSelection) => void;
  /** Called with true while rows to select are loading. */
  readonly onReading: (reading: boolean) => void;
  readonly onFetch: (id: string) => void;
  readonly ref: Ref<{ focus: () => void }>;
}

/** Measurements of another server; pages load on scrolling. */
export function RemoteList({
  server,
  list: query,
  onSort,
  firstPage,
  busy,
  selection,
  known,
  onSelect,
  onReading,
  onFetch,
  ref,
}: RemoteListProps) {
  const { onMac } = useApp();
  const toast = useToast();
  const total = firstPage.total;
  const list = useVirtualRows({
    count: total,
    layout: (width) => (width < columnsFrom ? { rowHeight: 56, heads: false } : { rowHeight: 36, heads: true }),
    listKey: `${server.id} ${query.search} ${query.sort} ${query.order}`,
    ref,
  });
  const shown = useMemo(() => columns.filter(({ from }) => list.width >= from), [list.width]);
  const { rowAt, rowsBetween, failure } = useRemoteRows(server.id, query, firstPage, list.first, list.last);
  const [places] = useState(() => new Map<string, number>());
  const reads = useRef(0);
  const note = (row: RemoteMeasurement, index: number): void => {
    places.set(row.id, index);
    known.set(row.id, wantedOf(row));
  };

  const fail = (error: unknown): void => {
    toast({ kind: 'bad', text: 'The rows between could not be read', detail: toApiError(error).detail });
  };
  /** Reads rows to select; `onReading` reports that until then the selection is incomplete. */
  async function read(begin: number, end: number): Promise<RemoteMeasurement[]> {
    reads.current += 1;
    onReading(true);
    try {
      return await rowsBetween(begin, end);
    } finally {
      reads.current -= 1;
      if (reads.current === 0) onReading(false);
    }
  }
  function moveTo(index: number): void {
    list.show(index);
    const wanted = rowAt(index) === undefined ? read(index, index) : rowsBetween(index, index);
    wanted.then(([row]) => {
      if (row === undefined) return;
      note(row, index);
      onSelect(onlyRow(row.id));
    }, fail);
  }
  function extendTo(index: number): void {
    list.show(index);
    const anchor = selection.anchor ?? selection.cursor;
    const from = (anchor === null ? undefined : places.get(anchor)) ?? index;
    read(Math.min(from, index), Math.max(from, index)).then((rows) => {
      for (const [at, row] of rows.entries()) note(row, Math.min(from, index) + at);
      const cursor = (from <= index ? rows.at(-1) : rows[0])?.id ?? null;
      onSelect({ ids: new Set(rows.map(({ id }) => id)), cursor, anchor: anchor ?? cursor });
    }, fail);
  }
  const step = (by: number, extend: boolean): void => {
    const index = moveCursor(places.get(selection.cursor ?? '') ?? null, by, total);
    if (extend) extendTo(index);
    else moveTo(index);
  };
  const selectAll = (): void => {
    read(0, Math.min(total, maxSelected) - 1).then((rows) => {
      for (const [at, row] of rows.entries()) note(row, at);
      onSelect({ ...selection, ids: new Set(rows.map(({ id }) => id)) });
      if (total > maxSelected)
        toast({
          kind: 'plain',
          text: `The first ${countOf(maxSelected, 'measurement')} are selected`,
          detail: `There are ${formatTotal(total, firstPage.more)}.`,
        });
    }, fail);
  };
  const onRowClick = useStable((event: MouseEvent, row: RemoteMeasurement, index: number): void => {
    if (event.shiftKey) return extendTo(index);
    note(row, index);
    if (onMac ? event.metaKey : event.ctrlKey) return onSelect(toggleRow(selection, row.id));
    onSelect(onlyRow(row.id));
    // The second click of a double click.
    if (event.detail > 1) onFetch(row.id);
    return undefined;
  });
  const onRowMenu = useStable((row: RemoteMeasurement, index: number): void => {
    note(row, index);
    if (!selection.ids.has(row.id)) onSelect(onlyRow(row.id));
  });
  const inView = list.rows.some(({ index }) => rowAt(index)?.id === selection.cursor);
  const actions = useSelectionActions({ selection, total, step, moveTo, onSelect, selectAll, onOpen: onFetch });

  return (
    <>
      <ProblemNote error={failure} className={screen['note']} />
      <VirtualGrid
        list={list}
        label={`Measurements of ${server.name}`}
        total={total}
        busy={busy}
        columns={shown.map(({ track }) => track).join(' ')}
        active={inView ? `remote-${selection.cursor}` : null}
        {...actions}
        heads={shown.map((column) => (
          <SortHead
            key={column.id}
            word={column.word}
            numeric={column.numeric}
            order={query.sort === column.sort ? query.order : null}
            onSort={() => onSort(column.sort)}
          />
        ))}
      >
        {list.rows.map(({ index, top }) => {
          const row = rowAt(index);
          return (
            <RemoteRow
              key={row?.id ?? `at-${index}`}
              row={row}
              index={index}
              top={top}
              height={list.rowHeight}
              shown={shown}
              narrow={!list.heads}
              selected={row !== undefined && selection.ids.has(row.id)}
              active={row !== undefined && selection.cursor === row.id}
              onClick={onRowClick}
              onMenu={onRowMenu}
            />
          );
        })}
      </VirtualGrid>
    </>
  );
}
