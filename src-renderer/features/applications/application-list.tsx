import type { UseQueryResult } from '@tanstack/react-query';
import { AppWindow } from 'lucide-react';
import type { ReactNode } from 'react';
import type { OAuthApplication } from '../../api/requests/types.ts';
import { matchWords } from '../../ui/lists/match-words.ts';
import { EmptyState } from '../../ui/notes/empty-state.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import screen from '../../ui/layout/screen.module.css';
import { ApplicationTable, type ApplicationTableProps } from './application-table.tsx';

export interface ApplicationListProps extends Omit<ApplicationTableProps, 'applications'> {
  readonly query: UseQueryResult<OAuthApplication[]>;
  readonly search: string;
  readonly register: ReactNode;
  readonly nothingFound: ReactNode;
}

/** The registered applications that match a search, or an empty state. */
export function ApplicationList({ query, search, register, nothingFound, ...table }: ApplicationListProps) {
  const { data } = query;
  if (data === undefined) return <NotLoaded of={query} className={screen['note']} />;
  if (data.length === 0) {
    return (
      <EmptyState
        icon={<AppWindow aria-hidden />}
        title="Register software that signs people in through Benchport."
        action={register}
      >
        A web server, a desktop program or an instrument can then act for the people who approve it, within the scopes
        that you choose, and without their password.
      </EmptyState>
    );
  }
  const found = data.filter((one) =>
    matchWords(
      `${one.name} ${one.owner.username} ${one.client_id} ${one.redirect_uris.join(' ')} ${one.scopes.join(' ')}`,
      search,
    ),
  );
  return found.length === 0 ? nothingFound : <ApplicationTable {...table} applications={found} />;
}
