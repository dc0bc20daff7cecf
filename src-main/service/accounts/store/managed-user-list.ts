import type { Reader } from '../../database/port/database.ts';
import { ignoringCase, inTexts, indexedBy, like, perEngine } from '../../database/port/dialect.ts';
import { read, readValue } from '../../database/port/query.ts';
import { contains, foldedKey, likePattern } from '../../database/text-search.ts';
import { maxCounted, totalOf } from '../../database/totals.ts';
import { walkList, type Place } from '../../database/walk-list.ts';
import type { UserFilter, UserOrder, UserPages, UserRow } from './user-rows.ts';

type Values = Readonly<Record<string, string | number>>;

/**
 * The store keeps the current sign-in and the one before it; lists show the current one as the
 * last.
 */
const sorted: Readonly<Record<UserOrder['sort'], { readonly key: string; readonly index: string }>> = {
  username: { key: ignoringCase('username'), index: 'users_by_state' },
  state: { key: 'state', index: 'users_by_state' },
  created_at: { key: 'created_at', index: 'users_by_creation' },
  last_sign_in_at: { key: 'ifnull(current_sign_in_at, 0)', index: 'users_by_sign_in' },
};

const byName = read<[string], UserRow>(`SELECT * FROM users WHERE ${inTexts(ignoringCase('username'), '?')}`);
const matching = readValue<{ names: string; pattern: string; emailPattern: string }, string>(
  `SELECT ${ignoringCase('username')} FROM users WHERE ${inTexts(ignoringCase('username'), '@names')}
     AND (${like('username', '@pattern')} OR ${contains('name', '@pattern')} OR ${like('email_key', '@emailPattern')})`,
);
// Unordered: counting in the order of the page takes five times as long.
const countOf = readValue<[string], number>(
  `SELECT count(*) FROM (SELECT 1 FROM users WHERE ${inTexts('state', '?')} LIMIT ${maxCounted + 1}) AS counted`,
);

/**
 * Reads pages of accounts in index order, merged from one part for each state; a search scans in
 * that order.
 */
export function managedUserPage(database: Reader): UserPages['page'] {
  return async (filter, order, limit, offset) => {
    if (filter.search === '') {
      const states = filter.state === null ? ['active', 'blocked'] : [filter.state];
      const all = await placesOf(database, ordered(filter, order, '', false), {}, limit, offset);
      return {
        rows: await rowsAt(database, all),
        total: totalOf((await database.one(countOf, JSON.stringify(states))) ?? 0),
      };
    }
    const pattern = likePattern(filter.search);
    const emailPattern = likePattern(foldedKey(filter.search));
    const { places, total } = await walkList<string>({
      steps: database.steps,
      places: async (after, size) => placesAfter(database, filter, order, after, size),
      fitting: async (names) => database.all(matching, { names: JSON.stringify(names), pattern, emailPattern }),
      after: null,
      limit,
      offset,
      counts: true,
    });
    return { rows: await rowsAt(database, places), total };
  };
}

/**
 * @param tied whether `where` selects only users with the sort key @key, which are then in the
 * order of their names.
 */
function ordered({ state }: UserFilter, { sort, order }: UserOrder, where: string, tied: boolean): string {
  const direction = order === 'asc' ? 'ASC' : 'DESC';
  const { key, index } = sorted[sort];
  // The user name appears once: if it appeared twice, SQLite would sort rows that the index
  // already returns in order.
  const by = tied || sort === 'username' ? `id ${direction}` : `"key" ${direction}, id ${direction}`;
  const parts = (state === null ? ['active', 'blocked'] : [state]).map(
    (one) =>
      `SELECT ${tied ? perEngine('@key', key) : key} AS "key", ${ignoringCase('username')} AS id FROM users ${indexedBy(index)} WHERE state = '${one}' ${where}`,
  );
  return `${parts.join(' UNION ALL ')} ORDER BY ${by}`;
}

async function placesOf(
  database: Reader,
  sql: string,
  values: Values,
  limit: number,
  offset: number,
): Promise<readonly Place<string>[]> {
  return database.all(read<Values, Place<string>>(`${sql} LIMIT @limit OFFSET @offset`), { ...values, limit, offset });
}

/**
 * Reads on after a place: first the other users with an equal key, then the rest. A single
 * comparison of both columns would read all users with an equal key at each step.
 */
async function placesAfter(
  database: Reader,
  filter: UserFilter,
  by: UserOrder,
  after: Place<string> | null,
  limit: number,
): Promise<readonly Place<string>[]> {
  if (after === null) return placesOf(database, ordered(filter, by, '', false), {}, limit, 0);
  const sign = by.order === 'asc' ? '>' : '<';
  if (by.sort === 'username')
    return placesOf(
      database,
      ordered(filter, by, `AND ${ignoringCase('username')} ${sign} @id`, false),
      { id: after.id },
      limit,
      0,
    );
  const { key } = sorted[by.sort];
  const tied = await placesOf(
    database,
    ordered(filter, by, `AND ${key} = @key AND ${ignoringCase('username')} ${sign} @id`, true),
    { ...after },
    limit,
    0,
  );
  if (tied.length === limit) return tied;
  return [
    ...tied,
    ...(await placesOf(
      database,
      ordered(filter, by, `AND ${key} ${sign} @key`, false),
      { key: after.key },
      limit - tied.length,
      0,
    )),
  ];
}

async function rowsAt(database: Reader, places: readonly Place<string>[]): Promise<readonly UserRow[]> {
  const found = await database.all(byName, JSON.stringify(places.map(({ id }) => id)));
  const rows = new Map(found.map((row) => [row.username.toLowerCase(), row]));
  return places.flatMap(({ id }) => rows.get(id.toLowerCase()) ?? []);
}
