import { useEffect, useMemo, type MouseEvent, type Ref } from 'react';
import type { ErrorSort, ErrorSummary } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { extendTo, onlyRow, rowAfter, toggleRow, type RowSelection } from '../../../ui/lists/row-selection.ts';
import { narrowQuery, useMedia } from '../../../ui/hooks/use-media.ts';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { useStable } from '../../../ui/hooks/use-stable.ts';
import { useVirtualRows, VirtualGrid } from '../../../ui/lists/virtual-list.tsx';
import { SortHead } from '../../../ui/lists/sort-head.tsx';
import rowStyles from '../../../ui/lists/virtual-list.module.css';
import { ErrorRow } from './error-row.tsx';
import { shownColumns } from './list-columns.ts';

export interface ErrorListProps {
  readonly errors: readonly ErrorSummary[];
  readonly total: number | null;
  readonly sort: ErrorSort;
  /** Changes with search and order: the list then scrolls to its top. */
  readonly listKey: string;
  readonly openId: string | null;
  readonly selection: RowSelection;
  readonly onSelect: (selection: RowSelection) => void;
  readonly onSelectAll: () => void;
  readonly onOpen: (id: string, how: 'asked' | 'followed') => void;
  readonly onSort: (sort: ErrorSort) => void;
  /** Called when the end of the loaded rows is in view. */
  readonly onEnd: () => void;
  readonly ref: Ref<{ focus: () => void }>;
}

/** Errors as a grid that loads more rows at its end. */
export function ErrorList(props: ErrorListProps) {
  const { errors, total, sort, listKey, openId, selection, onSelect, onSelectAll, onOpen, onSort, onEnd, ref } = props;
  const { onMac } = useApp();
  const now = useNow();
  const narrow = useMedia(narrowQuery);
  const order = useMemo(() => errors.map(({ id }) => id), [errors]);
  const list = useVirtualRows({
    count: errors.length,
    layout: () => ({ rowHeight: narrow ? 78 : 52, heads: !narrow }),
    listKey,
    ref,
  });
  const shown = useMemo(() => shownColumns(list.width), [list.width]);
  useEffect(() => {
    if (list.last >= errors.length - 15) onEnd();
  }, [list.last, errors.length, onEnd]);

  function moveTo(id: string | undefined): void {
    if (id === undefined) return;
    list.show(order.indexOf(id));
    onSelect(onlyRow(id));
    if (openId !== null) onOpen(id, 'followed');
  }
  function step(by: number, extend: boolean): void {
    const id = rowAfter(selection, order, by);
    if (id === undefined || !extend) return moveTo(id);
    list.show(order.indexOf(id));
    return onSelect(extendTo(selection, order, id));
  }
  const onRowClick = useStable((event: MouseEvent, id: string): void => {
    if (event.shiftKey) return onSelect(extendTo(selection, order, id));
    if (onMac ? event.metaKey : event.ctrlKey) return onSelect(toggleRow(selection, id));
    onSelect(onlyRow(id));
    return onOpen(id, 'asked');
  });
  const onRowMenu = useStable((id: string): void => {
    if (!selection.ids.has(id)) onSelect(onlyRow(id));
  });
  const inView = list.rows.some(({ index }) => order[index] === selection.cursor);

  return (
    <VirtualGrid
      list={list}
      label="Errors"
      total={total}
      columns={shown.map(({ track }) => track).join(' ')}
      active={inView ? `error-${selection.cursor}` : null}
      step={step}
      toFirst={() => moveTo(order[0])}
      toLast={() => moveTo(order.at(-1))}
      toggle={() => {
        if (selection.cursor !== null) onSelect(toggleRow(selection, selection.cursor));
      }}
      selectAll={onSelectAll}
      open={() => {
        if (selection.cursor !== null) onOpen(selection.cursor, 'asked');
      }}
      heads={shown.map(({ id, word, sort: by }) =>
        by === null ? (
          <div key={id} role="presentation" className={rowStyles['cell']}>
            <div role="columnheader" className="remark">
              {word}
            </div>
          </div>
        ) : (
          <SortHead key={id} word={word} numeric order={by === sort ? 'desc' : null} onSort={() => onSort(by)} />
        ),
      )}
    >
      {list.rows.map(({ index, top }) => {
        const row = errors[index];
        return row === undefined ? null : (
          <ErrorRow
            key={row.id}
            row={row}
            index={index}
            top={top}
            height={list.rowHeight}
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
    </VirtualGrid>
  );
}
