import { useRef, type PointerEvent } from 'react';
import type { ListQuery } from '../../../api/queries/list-query.ts';
import type { MeasurementSort } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { clamp, columnLimits } from '../../../context/preferences.ts';
import { columns, foldsTitle, type Column } from './columns.ts';
import { ariaSort, SortButton } from '../../../ui/lists/sort-button.tsx';
import rowStyles from '../../../ui/lists/virtual-list.module.css';
import styles from './measurement-list.module.css';

export interface ListHeaderProps {
  readonly shown: readonly Column[];
  readonly list: ListQuery;
  readonly onSort: (sort: MeasurementSort) => void;
}

/** The column heads: a click sorts, dragging the left edge sets the width. */
export function ListHeader({ shown, list, onSort }: ListHeaderProps) {
  return (
    <>
      {shown.map((column) => {
        // The heads are beside each other where the titles are.
        const heads =
          column.sort === 'id' && foldsTitle(shown)
            ? columns.filter(({ sort }) => sort === 'id' || sort === 'title')
            : [column];
        return (
          <div
            key={column.sort}
            role="presentation"
            className={`${styles['head']} ${column.numeric ? rowStyles['numeric'] : rowStyles['cell']}`}
          >
            {column.width === null ? null : <WidthHandle column={column} defaultWidth={column.width} />}
            {heads.map(({ sort, word }) => {
              const order = list.sort === sort ? list.order : null;
              return (
                <div key={sort} role="columnheader" aria-sort={ariaSort(order)}>
                  <SortButton word={word} order={order} onSort={() => onSort(sort)} />
                </div>
              );
            })}
          </div>
        );
      })}
    </>
  );
}

/** Drags the left edge of a column; its right edge is fixed by the columns after it. */
function WidthHandle({ column, defaultWidth }: { readonly column: Column; readonly defaultWidth: number }) {
  const { preferences } = useApp();
  const start = useRef<{ x: number; width: number } | null>(null);
  const widthNow = (): number => preferences.getState().columns[column.sort] ?? defaultWidth;
  const set = (width: number): void => {
    const { columns: widths, change } = preferences.getState();
    change({ columns: { ...widths, [column.sort]: clamp(width, columnLimits.least, columnLimits.most) } });
  };
  const onMove = (event: PointerEvent): void => {
    if (start.current !== null) set(start.current.width + start.current.x - event.clientX);
  };
  return (
    <span
      className={styles['handle']}
      title="Drag to set the width, double-click to reset it"
      onPointerDown={(event) => {
        start.current = { x: event.clientX, width: widthNow() };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={onMove}
      onPointerUp={() => {
        start.current = null;
      }}
      onDoubleClick={() => set(defaultWidth)}
    />
  );
}
