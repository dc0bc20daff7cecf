import { useMemo, type MouseEvent, type Ref } from 'react';
import type { FetchList } from '../../../api/queries/fetch-queries.ts';
import { toApiError } from '../../../api/requests/problem.ts';
import type { Fetch, FetchSort } from '../../../api/requests/types.ts';
import { useApp, useToast } from '../../../context/context.ts';
import { countOf, formatCount } from '../../../../src-shared/format/quantities.ts';
import { ProblemNote } from '../../../ui/notes/problem-note.tsx';
import { moveCursor, onlyRow, toggleRow, type RowSelection } from '../../../ui/lists/row-selection.ts';
import { useSelectionActions } from '../../../ui/lists/use-selection-actions.ts';
import screen from '../../../ui/layout/screen.module.css';
import { SortHead } from '../../../ui/lists/sort-head.tsx';
import { useStable } from '../../../ui/hooks/use-stable.ts';
import { useVirtualRows, VirtualGrid, BlankRow } from '../../../ui/lists/virtual-list.tsx';
import rowStyles from '../../../ui/lists/virtual-list.module.css';
import { useSelection, type ChosenTransfers } from '../commands/chosen-transfers.ts';
import type { RowVerb } from './row-action.tsx';
import { columnsFrom, transferColumns } from './transfer-columns.ts';
import { TransferRow } from './transfer-row.tsx';
import { useFetchRows, type FirstPage } from './use-fetch-rows.ts';

/** Number of fetches that one request may change. */
const maxSelected = 10_000;

function layoutAt(width: number): { rowHeight: number; heads: boolean } {
  return width < columnsFrom ? { rowHeight: 84, heads: false } : { rowHeight: 52, heads: true };
}

export interface TransferListProps {
  readonly list: FetchList;
  readonly firstPage: FirstPage;
  /** Positions of the hidden rows. */
  readonly hidden: readonly number[];
  /** Number of displayed rows. */
  readonly total: number;
  readonly busy: boolean;
  readonly openId: string | null;
  readonly chosen: ChosenTransfers;
  readonly onOpen: (id: string, how: 'asked' | 'followed') => void;
  readonly onSort: (sort: FetchSort) => void;
  readonly onAct: (fetch: Fetch, verb: RowVerb) => void;
  readonly ref: Ref<{ focus: () => void }>;
}

/** Transfers in the order of the queue; pages load on scrolling. */
export function TransferList(props: TransferListProps) {
  const { list, firstPage, hidden, total, busy, openId, chosen, onOpen, onSort, onAct, ref } = props;
  const { onMac, fetches } = useApp();
  const toast = useToast();
  const selection = useSelection(chosen);
  const virtual = useVirtualRows({
    count: total,
    layout: layoutAt,
    listKey: `${list.filter} ${list.search} ${list.sort} ${list.order}`,
    ref,
  });
  const narrow = !virtual.heads;
  const shown = useMemo(() => transferColumns(virtual.width), [virtual.width]);
  const { rowAt, placeOf, idsBetween, failure } = useFetchRows(list, firstPage, hidden, virtual.first, virtual.last);

  const onSelect = (next: RowSelection): void => chosen.setState(next);
  const fail = (error: unknown): void => {
    toast({ kind: 'bad', text: 'The rows between could not be read', detail: toApiError(error).detail });
  };
  function moveTo(index: number): void {
    if (total === 0) return;
    virtual.show(index);
    const go = (id: string | undefined): void => {
      if (id === undefined) return;
      onSelect(onlyRow(id));
      if (openId !== null) onOpen(id, 'followed');
    };
    const row = rowAt(index);
    if (row === undefined) idsBetween(index, index).then(([id]) => go(id), fail);
    else go(String(row.fetch.id));
  }
  function extendTo(index: number): void {
    virtual.show(index);
    const anchor = selection.anchor ?? selection.cursor;
    const from = (anchor === null ? null : placeOf(Number(anchor))) ?? index;
    idsBetween(Math.min(from, index), Math.max(from, index)).then((ids) => {
      const cursor = (from <= index ? ids.at(-1) : ids[0]) ?? null;
      onSelect({ ids: new Set(ids.slice(0, maxSelected)), cursor, anchor: anchor ?? cursor });
    }, fail);
  }
  function step(by: number, extend: boolean): void {
    const index = moveCursor(selection.cursor === null ? null : placeOf(Number(selection.cursor)), by, total);
    if (extend) extendTo(index);
    else moveTo(index);
  }
  const selectAll = (): void => {
    idsBetween(0, Math.min(total, maxSelected) - 1).then((ids) => {
      onSelect({ ...selection, ids: new Set(ids) });
      if (total > maxSelected)
        toast({
          kind: 'plain',
          text: `The first ${countOf(maxSelected, 'transfer')} are selected`,
          detail: `${formatCount(total)} match.`,
        });
    }, fail);
  };
  const onRowClick = useStable((event: MouseEvent, id: string, index: number): void => {
    if (event.shiftKey) return extendTo(index);
    if (onMac ? event.metaKey : event.ctrlKey) return onSelect(toggleRow(selection, id));
    onSelect(onlyRow(id));
    return onOpen(id, 'asked');
  });
  const onRowMenu = useStable((id: string): void => {
    if (!selection.ids.has(id)) onSelect(onlyRow(id));
  });
  // A step through the list renders them only if they are others.
  const heads = useMemo(
    () =>
      shown.map(({ id, word, numeric, sort }) =>
        sort === null ? (
          <div key={id} role="columnheader" className={numeric ? rowStyles['numeric'] : rowStyles['cell']}>
            <span className="remark">{word === '' ? <span className="visually-hidden">What to do</span> : word}</span>
          </div>
        ) : (
          <SortHead
            key={id}
            word={word}
            numeric={numeric}
            order={list.sort === sort ? list.order : null}
            onSort={() => onSort(sort)}
          />
        ),
      ),
    [shown, list.sort, list.order, onSort],
  );
  const inView = virtual.rows.some(({ index }) => String(rowAt(index)?.fetch.id) === selection.cursor);
  const actions = useSelectionActions({
    selection,
    total,
    step,
    moveTo,
    onSelect,
    selectAll,
    onOpen: (id) => onOpen(id, 'asked'),
  });

  return (
    <>
      <ProblemNote error={failure} className={screen['note']} />
      <VirtualGrid
        list={virtual}
        label="Transfers"
        total={total}
        busy={busy}
        columns={shown.map(({ track }) => track).join(' ')}
        active={inView ? `transfer-${selection.cursor}` : null}
        {...actions}
        heads={heads}
      >
        {virtual.rows.map(({ index, top }) => {
          const row = rowAt(index);
          if (row === undefined)
            return (
              <BlankRow
                key={`at-${index}`}
                id={`transfer-at-${index}`}
                index={index}
                top={top}
                height={virtual.rowHeight}
                narrow={narrow}
                selected={false}
                open={false}
                active={false}
                cells={narrow ? 1 : shown.length}
              />
            );
          const id = String(row.fetch.id);
          return (
            <TransferRow
              key={id}
              fetch={row.fetch}
              // The time matters only where an event may be newer; other rows need not re-render
              // whenever the list is refetched.
              at={fetches.live.knows(row.fetch.id) ? row.at : 0}
              index={index}
              top={top}
              height={virtual.rowHeight}
              shown={shown}
              narrow={narrow}
              selected={selection.ids.has(id)}
              open={openId === id}
              active={selection.cursor === id}
              onClick={onRowClick}
              onMenu={onRowMenu}
              onAct={onAct}
            />
          );
        })}
      </VirtualGrid>
    </>
  );
}
