import { keepPreviousData } from '@tanstack/react-query';
import type { Api } from '../requests/request.ts';
import { createReaders } from './read-queries.ts';
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
  const { readJson, readPage } = createReaders(api);
  return {
    account: () => readJson<Account>(['account'], '/api/v4/user/account'),
    sessions: () => readJson<SignedInSession[]>(['account', 'sessions'], '/api/v4/user/sessions'),
    managedUsers: ({ search, state, sort, order, page }: UserListQuery) => ({
      ...readPage<ManagedUser>(['users', 'managed', search, state, sort, order, page], '/api/v4/users/managed', {
        page,
        per_page: userPageSize,
        search,
        state,
        sort,
        order,
      }),
      placeholderData: keepPreviousData,
    }),
    /** Tokens of all users, for administrators. */
    allTokens: ({ user, search, state, sort, page }: TokenListQuery) => ({
      ...readPage<ListedToken>(['tokens', 'all', user, search, state, sort, page], '/api/v4/personal_access_tokens', {
        page,
        per_page: tokenPageSize,
        user_id: user,
        search,
        state,
        sort,
      }),
      placeholderData: keepPreviousData,
    }),
    audit: (filter: AuditFilter, page: number) => ({
      ...readPage<AuditEvent>(['audit', filter, page], '/api/v4/audit_events', {
        page,
        per_page: auditPageSize,
        ...filter,
      }),
      placeholderData: keepPreviousData,
    }),
    signIn: () => readJson<SignInSettings>(['service', 'sign-in'], '/api/v4/application/settings'),
  };
}
