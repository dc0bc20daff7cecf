import type Database from 'better-sqlite3';
import { contains, likePattern } from '../database/text-search.ts';
import type { UserRow } from './users-store.ts';

/** GitLab's filters of its list of users; an account fits if all that are given hold. */
export interface UserListFilter {
  /** The whole user name, regardless of case. */
  readonly username?: string | undefined;
  /** Part of the user name or of the full name. */
  readonly search?: string | undefined;
  /** Whether the whole e-mail address may match `search` too. */
  readonly byEmail: boolean;
  readonly active: boolean;
  readonly blocked: boolean;
}

export interface UserListStore {
  /** One page by user name, and how many there are. */
  page(filter: UserListFilter, limit: number, offset: number): Promise<{ readonly rows: readonly UserRow[]; readonly total: number }>;
}

/** Accounts as everybody may list them, in SQLite. */
export function userListStore(database: Database.Database): UserListStore {
  return {
    page: async (filter, limit, offset) => {
      const { where, values } = conditions(filter);
      const rows = database.prepare<object, UserRow>(`SELECT * FROM users ${where} ORDER BY username LIMIT @limit OFFSET @offset`);
      const total = database.prepare<object, number>(`SELECT count(*) FROM users ${where}`).pluck();
      return { rows: rows.all({ ...values, limit, offset }), total: total.get(values) ?? 0 };
    },
  };
}

function conditions(filter: UserListFilter): { readonly where: string; readonly values: Readonly<Record<string, string>> } {
  const { username, search = '', byEmail, active, blocked } = filter;
  const parts: string[] = [];
  const values: Record<string, string> = {};
  if (username !== undefined) {
    parts.push('username = @username COLLATE NOCASE');
    values['username'] = username;
  }
  if (search !== '') {
    parts.push(`(username LIKE @pattern ESCAPE '\\' OR ${contains('name', '@pattern')}${byEmail ? ' OR email = @search COLLATE NOCASE' : ''})`);
    values['pattern'] = likePattern(search);
    if (byEmail) values['search'] = search;
  }
  if (active) parts.push(`state = 'active'`);
  if (blocked) parts.push(`state = 'blocked'`);
  return { where: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
}
