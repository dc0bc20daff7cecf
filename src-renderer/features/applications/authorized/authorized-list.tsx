import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AuthorizedApplication } from '../../../api/requests/types.ts';
import { matchWords } from '../../../ui/lists/match-words.ts';
import { EmptyState } from '../../../ui/notes/empty-state.tsx';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import screen from '../../../ui/layout/screen.module.css';
import type { RowSelection } from '../../../ui/lists/row-selection.ts';
import { AuthorizedTable } from './authorized-table.tsx';
import { nameOf } from './authorized-words.ts';

export interface AuthorizedListProps {
  readonly query: UseQueryResult<AuthorizedApplication[]>;
  readonly search: string;
  readonly nothingFound: ReactNode;
  readonly selection: RowSelection;
  readonly onSelect: (selection: RowSelection) => void;
  readonly onRevoke: (one: AuthorizedApplication) => void;
}

/** Applications that may act for the user, filtered by a search, or an empty state. */
export function AuthorizedList({ query, search, nothingFound, ...table }: AuthorizedListProps) {
  const { data } = query;
  if (data === undefined) return <NotLoaded of={query} className={screen['note']} />;
  if (data.length === 0) {
    return (
      <EmptyState title="No application may act for you.">
        Applications that you approve are listed here, with what they may do, until you revoke them.
      </EmptyState>
    );
  }
  const found = data.filter((one) => matchWords(`${nameOf(one)} ${one.scopes.join(' ')}`, search));
  return found.length === 0 ? nothingFound : <AuthorizedTable {...table} authorized={found} />;
}
