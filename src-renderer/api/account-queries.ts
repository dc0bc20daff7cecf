import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Api } from './request.ts';
import type { Account, AuditEvent, ManagedUser, ManagedUserSort, SignedInSession, SignInSettings } from './types.ts';

export const userPageSize = 50;
export const auditPageSize = 50;

export interface UserListQuery {
  readonly search: string;
  readonly state: 'active' | 'blocked' | null;
  readonly sort: ManagedUserSort;
  readonly order: 'asc' | 'desc';
  /** Counted from 1. */
  readonly page: number;
}

export interface AuditFilter {
  readonly user: string;
  readonly action: string;
  /** Days, as the API writes them; empty for no limit. */
  readonly from: string;
  readonly to: string;
}

/** What is read about one's own account, about those of others, and about what they did. */
export function createAccountQueries(api: Api) {
  return {
    account: () => queryOptions({ queryKey: ['account'], queryFn: ({ signal }) => api.json<Account>('/api/v4/user/account', { signal }) }),
    sessions: () =>
      queryOptions({ queryKey: ['account', 'sessions'], queryFn: ({ signal }) => api.json<SignedInSession[]>('/api/v4/user/sessions', { signal }) }),
    managedUsers: ({ search, state, sort, order, page }: UserListQuery) =>
      queryOptions({
        queryKey: ['users', 'managed', search, state, sort, order, page],
        queryFn: ({ signal }) =>
          api.page<ManagedUser>('/api/v4/users/managed', { signal, query: { page, per_page: userPageSize, search, state, sort, order } }),
        placeholderData: keepPreviousData,
      }),
    audit: (filter: AuditFilter, page: number) =>
      queryOptions({
        queryKey: ['audit', filter, page],
        queryFn: ({ signal }) => api.page<AuditEvent>('/api/v4/audit_events', { signal, query: { page, per_page: auditPageSize, ...filter } }),
        placeholderData: keepPreviousData,
      }),
    signIn: () =>
      queryOptions({ queryKey: ['service', 'sign-in'], queryFn: ({ signal }) => api.json<SignInSettings>('/api/v4/application/settings', { signal }) }),
  };
}
