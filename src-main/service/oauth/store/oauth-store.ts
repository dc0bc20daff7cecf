import type { Database } from '../../database/port/database.ts';
import { grantLists, type GrantLists } from './grant-list-store.ts';
import type { PurgeStore } from '../../database/purge.ts';
import { purgeStore } from './purge-store.ts';
import { tokenIssues, type TokenIssues } from './token-issue-store.ts';
import { tokenLookups, type TokenLookups } from './token-lookup-store.ts';

/** Grants with their codes and tokens. */
export type OAuthStore = TokenIssues & TokenLookups & GrantLists & PurgeStore;

/** The store of grants, codes and OAuth tokens. */
export function oauthStore(database: Database): OAuthStore {
  return {
    ...tokenIssues(database),
    ...tokenLookups(database),
    ...grantLists(database),
    ...purgeStore(database),
  };
}
