import { useEffect, useImperativeHandle, useRef, type Ref } from 'react';
import type { MeasurementDetail } from '../../../api/requests/types.ts';
import { useVirtualRows } from '../../../ui/lists/virtual-list.tsx';
import list from '../../../ui/lists/virtual-list.module.css';
import { chosenOf } from './choice.ts';
import { useFileMenu } from './file-menu.tsx';
import { FileGridRow } from './file-grid-row.tsx';
import { moveBy } from './moves.ts';
import { itemOf } from './tree.ts';
import { useGridActions, type GridActionsOptions } from './use-grid-actions.ts';
import { useGridKeys } from './use-grid-keys.ts';

const rowHeight = 36;

export interface FileGridProps extends GridActionsOptions {
  readonly label: string;
  readonly measurement: MeasurementDetail;
  /** Whether files are shown with their whole paths, without folders. */
  readonly flat: boolean;
  /** Gets the rows that are rendered. */
  readonly onView: (first: number, last: number) => void;
  readonly ref: Ref<{ focus: () => void }>;
}

/** Files and folders as a tree with one tab stop; only the rows in view exist. */
export function FileGrid({ label, measurement, flat, onView, ref, ...options }: FileGridProps) {
  const { rows, choosing, onCursor, onFold, onLook } = options;
  const menu = useFileMenu(measurement, onLook);
  const view = useRef<{ focus: () => void }>(null);
  useImperativeHandle(ref, () => ({ focus: () => view.current?.focus() }), []);
  const layout = { rowHeight, heads: false };
  const virtual = useVirtualRows({ count: rows.length, layout: () => layout, listKey: label, ref: view });
  const { first, last, grid } = virtual;
  useEffect(() => onView(first, last), [first, last, onView]);
  const actions = useGridActions(options, virtual);
  const { cursor } = actions;
  const { show, onePage } = virtual;
  const keys = useGridKeys({ ...actions, rows, onePage, show, onFold, chooseAll: () => choosing?.chooseAll() });
  const begin = cursor === null ? moveBy(rows, null, 1) : null;
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
      onFocus={({ currentTarget }) => {
        // Between the press and the release of the mouse, a cursor on the first row would scroll its target away.
        if (begin !== null && currentTarget.matches(':focus-visible')) onCursor(rows[begin]?.id ?? '');
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
              {...{ row, index, top, flat, measurement, menu }}
              height={rowHeight}
              active={index === cursor}
              chosen={choosing === null || item === null ? null : chosenOf(choosing.choice, item)}
              onClick={(event, how) => {
                keys.stop();
                actions.onClick(event, index, how);
              }}
            />
          );
        })}
      </div>
    </div>
  );
}
