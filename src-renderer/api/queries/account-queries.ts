import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Api } from '../requests/request.ts';
import type {
  Account,
  AuditEvent,
  ListedToken,
  ManagedUser,
  ManagedUserSort,
  SignedInSession,
  SignInSettings,
} from '../requests/types.ts';

export const userPageSize = 50;
export const auditPageSize = 50;
export const tokenPageSize = 50;

export interface UserListQuery {
  readonly search: string;
  readonly state: 'active' | 'blocked' | null;
  readonly sort: ManagedUserSort;
  readonly order: 'asc' | 'desc';
  /** Counted from 1. */
  readonly page: number;
}

export interface TokenListQuery {
  /** Number or name of a user; empty for all users. */
  readonly user: string;
  readonly search: string;
  readonly state: 'active' | 'inactive';
  readonly sort: `${'name' | 'created' | 'last_used' | 'expires'}_${'asc' | 'desc'}`;
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

/** Queries about accounts, sign-ins, tokens and the audit trail. */
export function createAccountQueries(api: Api) {
  return {
    account: () =>
      queryOptions({
        queryKey: ['account'],
        queryFn: ({ signal }) => api.json<Account>('/api/v4/user/account', { signal }),
      }),
    sessions: () =>
      queryOptions({
        queryKey: ['account', 'sessions'],
        queryFn: ({ signal }) => api.json<SignedInSession[]>('/api/v4/user/sessions', { signal }),
      }),
    managedUsers: ({ search, state, sort, order, page }: UserListQuery) =>
      queryOptions({
        queryKey: ['users', 'managed', search, state, sort, order, page],
        queryFn: ({ signal }) =>
          api.page<ManagedUser>('/api/v4/users/managed', {
            signal,
            query: { page, per_page: userPageSize, search, state, sort, order },
          }),
        placeholderData: keepPreviousData,
      }),
    /** Tokens of all users, for administrators. */
    allTokens: ({ user, search, state, sort, page }: TokenListQuery) =>
      queryOptions({
        queryKey: ['tokens', 'all', user, search, state, sort, page],
        queryFn: ({ signal }) =>
          api.page<ListedToken>('/api/v4/personal_access_tokens', {
            signal,
            query: { page, per_page: tokenPageSize, user_id: user, search, state, sort },
          }),
        placeholderData: keepPreviousData,
      }),
    audit: (filter: AuditFilter, page: number) =>
      queryOptions({
        queryKey: ['audit', filter, page],
        queryFn: ({ signal }) =>
          api.page<AuditEvent>('/api/v4/audit_events', { signal, query: { page, per_page: auditPageSize, ...filter } }),
        placeholderData: keepPreviousData,
      }),
    signIn: () =>
      queryOptions({
        queryKey: ['service', 'sign-in'],
        queryFn: ({ signal }) => api.json<SignInSettings>('/api/v4/application/settings', { signal }),
      }),
  };
}
