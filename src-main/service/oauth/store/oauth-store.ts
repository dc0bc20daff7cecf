import type Database from 'better-sqlite3';
import type { GroupCommit } from '../../database/group-commit.ts';
import { grantLists, type GrantLists } from './grant-list-store.ts';
import type { PurgeStore } from '../../database/purge.ts';
import { purgeStore } from './purge-store.ts';
import { tokenIssues, type TokenIssues } from './token-issue-store.ts';
import { tokenLookups, type TokenLookups } from './token-lookup-store.ts';

/** Grants with their codes and tokens. */
export type OAuthStore = TokenIssues & TokenLookups & GrantLists & PurgeStore;

/** The store of grants, codes and OAuth tokens in one open database. */
export function oauthStore(database: Database.Database, groupCommit: GroupCommit): OAuthStore {
  return {
    ...tokenIssues(database, groupCommit),
    ...tokenLookups(database, groupCommit),
    ...grantLists(database),
    ...purgeStore(database),
  };
}
