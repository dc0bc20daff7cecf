import { memo, type MouseEvent } from 'react';
import { useStore } from 'zustand';
import type { Fetch } from '../../../api/requests/types.ts';
import { useApp } from '../../../context/context.ts';
import { formatCount } from '../../../../src-shared/format/quantities.ts';
import { VirtualRow, type RowPlace } from '../../../ui/lists/virtual-list.tsx';
import { nameOf } from '../../../words/fetch-words.ts';
import { newest } from '../../../context/live-fetches.ts';
import type { RowVerb } from './row-action.tsx';
import { TransferCells } from './transfer-cells.tsx';
import type { TransferColumn } from './transfer-columns.ts';

export interface TransferRowProps extends RowPlace {
  /** The fetch as in the list, and when the list was read. */
  readonly fetch: Fetch;
  readonly at: number;
  readonly shown: readonly TransferColumn[];
  readonly onClick: (event: MouseEvent, id: string, index: number) => void;
  readonly onMenu: (id: string) => void;
  readonly onAct: (fetch: Fetch, verb: RowVerb) => void;
}

/** One transfer. It subscribes to its own progress. */
export const TransferRow = memo(function TransferRow(props: TransferRowProps) {
  const { fetch: listed, at, shown, onClick, onMenu, onAct, ...place } = props;
  const { fetches } = useApp();
  const { id } = listed;
  const live = useStore(fetches.live.store, (state) => state.byId.get(id));
  const fetch = newest(listed, at, live);
  return (
    <VirtualRow
      id={`transfer-${id}`}
      {...place}
      onClick={(event) => onClick(event, String(id), place.index)}
      onMenu={() => onMenu(String(id))}
      {...(fetch.state === 'done' && fetches.dragOut.enabled
        ? {
            drag: (event: { preventDefault: () => void }) =>
              fetches.dragOut.start(event, String(id), null, nameOf(fetch)),
          }
        : {})}
    >
      <TransferCells fetch={fetch} shown={shown} narrow={place.narrow} onAct={onAct} />
    </VirtualRow>
  );
});

/** Number of transfers in the header. */
export function countWords(total: number, selected: number): string {
  return selected > 1 ? `${formatCount(selected)} of ${formatCount(total)} selected` : formatCount(total);
}
