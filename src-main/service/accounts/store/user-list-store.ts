import type { Reader } from '../../database/port/database.ts';
import { ignoringCase, inTexts, like } from '../../database/port/dialect.ts';
import { read, readValue } from '../../database/port/query.ts';
import { contains, foldedKey, likePattern } from '../../database/text-search.ts';
import type { Total } from '../../database/totals.ts';
import { walkList, type Place } from '../../database/walk-list.ts';
import type { UserRow } from './user-rows.ts';

/** GitLab's filters for its list of users; all given filters must match. */
export interface UserListFilter {
  /** The whole user name, case-insensitive. */
  readonly username?: string | undefined;
  /** Part of the user name or of the full name. */
  readonly search?: string | undefined;
  /** Whether `search` may also match a whole e-mail address. */
  readonly byEmail: boolean;
  readonly active: boolean;
  readonly blocked: boolean;
}

export interface UserListStore {
  /** One page in the order of user names, with the total count. */
  page(
    filter: UserListFilter,
    limit: number,
    offset: number,
  ): Promise<{ readonly rows: readonly UserRow[]; readonly total: Total }>;
}

const byName = read<[string, number], Place<string>>(
  `SELECT ${ignoringCase('username')} AS "key", ${ignoringCase('username')} AS id FROM users
   WHERE ${ignoringCase('username')} > ? ORDER BY ${ignoringCase('username')} LIMIT ?`,
);
const rowsOf = read<[string], UserRow>(`SELECT * FROM users WHERE ${inTexts(ignoringCase('username'), '?')}`);

/** The list of accounts for all users; a search scans it in batches by user name. */
export function userListStore(database: Reader): UserListStore {
  return {
    page: async (filter, limit, offset) => {
      const { where, values } = conditions(filter);
      const fitting = readValue<object, string>(
        `SELECT ${ignoringCase('username')} FROM users ${where === '' ? 'WHERE' : `${where} AND`} ${inTexts(ignoringCase('username'), '@names')}`,
      );
      const { places, total } = await walkList<string>({
        steps: database.steps,
        places: async (after, size) => database.all(byName, after?.id ?? '', size),
        fitting: async (names) => database.all(fitting, { ...values, names: JSON.stringify(names) }),
        after: null,
        limit,
        offset,
        counts: true,
      });
      const found = await database.all(rowsOf, JSON.stringify(places.map(({ id }) => id)));
      const rows = new Map(found.map((row) => [row.username.toLowerCase(), row]));
      return { rows: places.flatMap(({ id }) => rows.get(id.toLowerCase()) ?? []), total };
    },
  };
}

function conditions(filter: UserListFilter): {
  readonly where: string;
  readonly values: Readonly<Record<string, string>>;
} {
  const { username, search = '', byEmail, active, blocked } = filter;
  const parts: string[] = [];
  const values: Record<string, string> = {};
  if (username !== undefined) {
    parts.push(`${ignoringCase('username')} = ${ignoringCase('@username')}`);
    values['username'] = username;
  }
  if (search !== '') {
    parts.push(
      `(${like('username', '@pattern')} OR ${contains('name', '@pattern')}${byEmail ? ' OR email_key = @email' : ''})`,
    );
    values['pattern'] = likePattern(search);
    if (byEmail) values['email'] = foldedKey(search);
  }
  if (active) parts.push(`state = 'active'`);
  if (blocked) parts.push(`state = 'blocked'`);
  return { where: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
}
