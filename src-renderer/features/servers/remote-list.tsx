import { memo, useMemo, useState, type MouseEvent, type ReactNode, type Ref } from 'react';
import { toApiError } from '../../api/problem.ts';
import type { ListQuery } from '../../api/queries.ts';
import type { MeasurementSort, RemoteMeasurement, RemoteMeasurementPage, RemoteServer } from '../../api/types.ts';
import { useApp, useToast, useUnits } from '../../app/context.ts';
import { countOf, exactBytes, formatBytes, formatCount, formatTotal } from '../../ui/format/quantities.ts';
import { Moment } from '../../ui/moment.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { moveCursor, onlyRow, toggleRow, type RowSelection } from '../../ui/row-selection.ts';
import screen from '../../ui/screen.module.css';
import { SortHead } from '../../ui/sort-head.tsx';
import { useStable } from '../../ui/use-stable.ts';
import { useVirtualRows, VirtualGrid, VirtualRow } from '../../ui/virtual-list.tsx';
import rowStyles from '../../ui/virtual-list.module.css';
import type { Wanted } from '../transfers/fetch-dialog.tsx';
import lines from '../../ui/two-lines.module.css';
import { plainText } from '../../ui/format/shown-text.ts';
import styles from './remote-list.module.css';
import { useRemoteRows } from './use-remote-rows.ts';

interface RemoteColumn {
  readonly id: 'name' | 'files' | 'size' | 'state' | 'added';
  readonly sort: MeasurementSort;
  readonly word: string;
  readonly track: string;
  readonly numeric: boolean;
  readonly from: number;
}

const columns: readonly RemoteColumn[] = [
  { id: 'name', sort: 'id', word: 'Measurement', track: 'minmax(160px, 1fr)', numeric: false, from: 0 },
  { id: 'files', sort: 'file_count', word: 'Files', track: '64px', numeric: true, from: 520 },
  { id: 'size', sort: 'total_bytes', word: 'Size', track: '84px', numeric: true, from: 0 },
  { id: 'state', sort: 'state', word: 'State', track: '96px', numeric: false, from: 640 },
  { id: 'added', sort: 'created_at', word: 'Added', track: '96px', numeric: false, from: 520 },
];
const columnsFrom = 480;
/** Selecting all asks a foreign server for every page. */
const mostSelected = 1000;

const wantedOf = (row: RemoteMeasurement): Wanted => ({ id: row.id, title: row.title, files: row.file_count, bytes: row.total_bytes });

export interface RemoteListProps {
  readonly server: RemoteServer;
  readonly list: ListQuery;
  readonly onSort: (by: MeasurementSort) => void;
  readonly firstPage: RemoteMeasurementPage;
  readonly busy: boolean;
  readonly selection: RowSelection;
  /** What is selected, also beyond the rows in view. */
  readonly known: Map<string, Wanted>;
  readonly onSelect: (selection: RowSelection) => void;
  readonly onFetch: (id: string) => void;
  readonly ref: Ref<{ focus: () => void }>;
}

/** Measurements of another server; pages of them are asked for as they come into view. */
export function RemoteList({ server, list: query, onSort, firstPage, busy, selection, known, onSelect, onFetch, ref }: RemoteListProps) {
  const { onMac } = useApp();
  const toast = useToast();
  const total = firstPage.total;
  const list = useVirtualRows({
    count: total,
    layout: (width) => (width < columnsFrom ? { rowHeight: 56, heads: false } : { rowHeight: 44, heads: true }),
    listKey: `${server.id} ${query.search} ${query.sort} ${query.order}`,
    ref,
  });
  const shown = useMemo(() => columns.filter(({ from }) => list.width >= from), [list.width]);
  const { rowAt, rowsBetween, failure } = useRemoteRows(server.id, query, firstPage, list.first, list.last);
  const [places] = useState(() => new Map<string, number>());
  const note = (row: RemoteMeasurement, index: number): void => {
    places.set(row.id, index);
    known.set(row.id, wantedOf(row));
  };

  const fail = (error: unknown): void => {
    toast({ kind: 'bad', text: 'The rows between could not be read', detail: toApiError(error).detail });
  };
  function moveTo(index: number): void {
    list.show(index);
    rowsBetween(index, index).then(([row]) => {
      if (row === undefined) return;
      note(row, index);
      onSelect(onlyRow(row.id));
    }, fail);
  }
  function extendTo(index: number): void {
    list.show(index);
    const anchor = selection.anchor ?? selection.cursor;
    const from = (anchor === null ? undefined : places.get(anchor)) ?? index;
    rowsBetween(Math.min(from, index), Math.max(from, index)).then((rows) => {
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
    rowsBetween(0, Math.min(total, mostSelected) - 1).then((rows) => {
      for (const [at, row] of rows.entries()) note(row, at);
      onSelect({ ...selection, ids: new Set(rows.map(({ id }) => id)) });
      if (total > mostSelected)
        toast({
          kind: 'plain',
          text: `The first ${countOf(mostSelected, 'measurement')} are selected`,
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

  return (
    <>
      {failure === null ? null : (
        <div className={screen['note']}>
          <ProblemNote error={failure} />
        </div>
      )}
      <VirtualGrid
        list={list}
        label={`Measurements of ${server.name}`}
        total={total}
        busy={busy}
        columns={shown.map(({ track }) => track).join(' ')}
        active={inView ? `remote-${selection.cursor}` : null}
        step={step}
        toFirst={() => moveTo(0)}
        toLast={() => moveTo(total - 1)}
        toggle={() => {
          if (selection.cursor !== null) onSelect(toggleRow(selection, selection.cursor));
        }}
        selectAll={selectAll}
        open={() => {
          if (selection.cursor !== null) onFetch(selection.cursor);
        }}
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

interface RemoteRowProps {
  readonly row: RemoteMeasurement | undefined;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly shown: readonly RemoteColumn[];
  readonly narrow: boolean;
  readonly selected: boolean;
  readonly active: boolean;
  readonly onClick: (event: MouseEvent, row: RemoteMeasurement, index: number) => void;
  readonly onMenu: (row: RemoteMeasurement, index: number) => void;
}

const RemoteRow = memo(function RemoteRow({ row, index, top, height, shown, narrow, selected, active, onClick, onMenu }: RemoteRowProps) {
  const units = useUnits();
  const place = { index, top, height, narrow, selected, active, open: false };
  if (row === undefined) {
    return (
      <VirtualRow id={`remote-at-${index}`} {...place}>
        {(narrow ? shown.slice(0, 1) : shown).map(({ id }) => (
          <div key={id} role="gridcell" aria-label="Not loaded yet" className={rowStyles['cell']}>
            <span className={rowStyles['blank']} />
          </div>
        ))}
      </VirtualRow>
    );
  }
  const names = (
    <span className={styles['names']}>
      <bdi className={styles['id']} title={row.id}>
        {row.id}
      </bdi>
      {row.title === row.id ? null : (
        <bdi className={styles['title']} title={plainText(row.title)}>
          {plainText(row.title)}
        </bdi>
      )}
    </span>
  );
  const cell = (id: RemoteColumn['id']): ReactNode => {
    switch (id) {
      case 'name':
        return names;
      case 'files':
        return formatCount(row.file_count);
      case 'size':
        return <span title={exactBytes(row.total_bytes)}>{formatBytes(row.total_bytes, units)}</span>;
      case 'state':
        return row.state;
      case 'added':
        return <Moment at={row.created_at} />;
    }
  };
  return (
    <VirtualRow id={`remote-${row.id}`} {...place} onClick={(event) => onClick(event, row, index)} onMenu={() => onMenu(row, index)}>
      {narrow ? (
        <div role="gridcell" className={lines['stack']}>
          {names}
          <span className={lines['sub']}>
            <span>
              {countOf(row.file_count, 'file')} · {formatBytes(row.total_bytes, units)}
            </span>
            <Moment at={row.created_at} />
          </span>
        </div>
      ) : (
        shown.map(({ id, numeric }) => (
          <div key={id} role="gridcell" className={numeric ? rowStyles['numeric'] : rowStyles['cell']}>
            {cell(id)}
          </div>
        ))
      )}
    </VirtualRow>
  );
});
