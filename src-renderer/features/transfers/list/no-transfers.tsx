import { ArrowDownToLine, ListFilter } from 'lucide-react';
import type { FetchList } from '../../../api/queries/fetch-queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { EmptyState } from '../../../ui/notes/empty-state.tsx';
import { fetchFilters } from './transfers-search.ts';

export interface NoTransfersProps {
  readonly list: FetchList;
  /** Total without filter and search. */
  readonly all: number;
  readonly onFetch: () => void;
  readonly onAll: () => void;
  readonly onClear: () => void;
}

/** Empty state of the list: how to begin, or how to clear the filter. */
export function NoTransfers({ list, all, onFetch, onAll, onClear }: NoTransfersProps) {
  if (list.search !== '') {
    return (
      <EmptyState
        icon={<ListFilter aria-hidden />}
        title={`No transfer matches “${list.search}”.`}
        action={<Button onClick={onClear}>Clear the search</Button>}
      />
    );
  }
  if (list.filter !== 'all' && all > 0) {
    const word = fetchFilters.find(({ filter }) => filter === list.filter)?.word ?? '';
    return (
      <EmptyState
        icon={<ListFilter aria-hidden />}
        title={`${word}: no transfer.`}
        action={<Button onClick={onAll}>Show all</Button>}
      />
    );
  }
  return (
    <EmptyState
      icon={<ArrowDownToLine aria-hidden />}
      title="Fetch a measurement from another server."
      action={
        <Button look="primary" icon={<ArrowDownToLine aria-hidden />} onClick={onFetch}>
          Choose a server
        </Button>
      }
    >
      It continues where it left off after a pause, a closed laptop or a lost network, and every byte is verified when
      it is done.
    </EmptyState>
  );
}
