import { memo, type MouseEvent } from 'react';
import { useStore } from 'zustand';
import type { Fetch } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { formatCount } from '../../../../src-shared/format/quantities.ts';
import { VirtualRow } from '../../../ui/lists/virtual-list.tsx';
import rowStyles from '../../../ui/lists/virtual-list.module.css';
import { nameOf } from '../../../words/fetch-words.ts';
import { newest } from '../../../context/live-fetches.ts';
import type { RowVerb } from './row-action.tsx';
import { TransferCells } from './transfer-cells.tsx';
import type { TransferColumn } from './transfer-columns.ts';

export interface TransferRowProps {
  /** The fetch as in the list, and when the list was read. */
  readonly fetch: Fetch;
  readonly at: number;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly shown: readonly TransferColumn[];
  readonly narrow: boolean;
  readonly selected: boolean;
  readonly open: boolean;
  readonly active: boolean;
  readonly onClick: (event: MouseEvent, id: string, index: number) => void;
  readonly onMenu: (id: string) => void;
  readonly onAct: (fetch: Fetch, verb: RowVerb) => void;
}

/** One transfer. It subscribes to its own progress. */
export const TransferRow = memo(function TransferRow(props: TransferRowProps) {
  const {
    fetch: listed,
    at,
    index,
    top,
    height,
    shown,
    narrow,
    selected,
    open,
    active,
    onClick,
    onMenu,
    onAct,
  } = props;
  const { fetches } = useApp();
  const { id } = listed;
  const live = useStore(fetches.live.store, (state) => state.byId.get(id));
  const fetch = newest(listed, at, live);
  return (
    <VirtualRow
      id={`transfer-${id}`}
      index={index}
      top={top}
      height={height}
      narrow={narrow}
      selected={selected}
      open={open}
      active={active}
      onClick={(event) => onClick(event, String(id), index)}
      onMenu={() => onMenu(String(id))}
      {...(fetch.state === 'done' && fetches.dragOut.enabled
        ? {
            drag: (event: { preventDefault: () => void }) =>
              fetches.dragOut.start(event, String(id), null, nameOf(fetch)),
          }
        : {})}
    >
      <TransferCells fetch={fetch} shown={shown} narrow={narrow} onAct={onAct} />
    </VirtualRow>
  );
});

/** Grey bars until its page is loaded. */
export function BlankRow({
  index,
  top,
  height,
  columns,
}: {
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly columns: number;
}) {
  return (
    <VirtualRow
      id={`transfer-at-${index}`}
      index={index}
      top={top}
      height={height}
      narrow={columns === 1}
      selected={false}
      open={false}
      active={false}
    >
      {Array.from({ length: columns }, (_, column) => (
        // oxlint-disable-next-line react/no-array-index-key -- A blank cell is its place.
        <div key={column} role="gridcell" aria-label="Not loaded yet" className={rowStyles['cell']}>
          <span className={rowStyles['blank']} />
        </div>
      ))}
    </VirtualRow>
  );
}

/** Number of transfers in the header. */
export function countWords(total: number, selected: number): string {
  return selected > 1 ? `${formatCount(selected)} of ${formatCount(total)} selected` : formatCount(total);
}
