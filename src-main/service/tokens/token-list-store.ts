import type { Reader } from '../database/port/database.ts';
import { inNumbers, indexedBy, like, perEngine } from '../database/port/dialect.ts';
import { read, readValue, type ReadQuery } from '../database/port/query.ts';
import { foldedKey, likePattern } from '../database/text-search.ts';
import { maxCounted, totalOf } from '../database/totals.ts';
import { walkList, type Place } from '../database/walk-list.ts';
import type { TokenFilter, TokenLists, TokenRow, TokenSort } from './token-rows.ts';

/** The columns of a {@link TokenRow}. */
export const tokenColumns =
  'id, user_id, name, description, scopes, created_at, expires_at, revoked_at, last_used_at, last_used_address, coalesce(family_id, id) AS family_id, rotated_at';

interface Order {
  readonly key: string;
  readonly index: string;
  readonly descending: boolean;
  /**
   * Whether the newest of tokens with equal keys is first; GitLab does so in all orders but one.
   */
  readonly newestFirst: boolean;
}

// As in the indexes: a token that was never used or never ends has a key too, after which a walk
// can continue.
const end = 'ifnull(expires_at, 9007199254740991)';
const use = 'ifnull(last_used_at, 0)';
const orders: Readonly<Record<TokenSort, Order>> = {
  created_asc: { key: 'created_at', index: 'tokens_by_creation', descending: false, newestFirst: false },
  created_desc: { key: 'created_at', index: 'tokens_by_creation', descending: true, newestFirst: true },
  expires_asc: { key: end, index: 'tokens_by_end_ascending', descending: false, newestFirst: true },
  expires_desc: { key: end, index: 'tokens_by_end', descending: true, newestFirst: true },
  last_used_asc: { key: use, index: 'tokens_by_use_ascending', descending: false, newestFirst: true },
  last_used_desc: { key: use, index: 'tokens_by_use', descending: true, newestFirst: true },
  name_asc: { key: 'name_key', index: 'tokens_by_name_ascending', descending: false, newestFirst: true },
  name_desc: { key: 'name_key', index: 'tokens_by_name', descending: true, newestFirst: true },
};

type Values = Readonly<Record<string, string | number>>;

const byId = read<[string], TokenRow>(
  `SELECT ${tokenColumns} FROM personal_access_tokens WHERE ${inNumbers('id', '?')}`,
);
const allCounted = readValue<[], number>(
  `SELECT count(*) FROM (SELECT 1 FROM personal_access_tokens LIMIT ${maxCounted + 1}) AS counted`,
);

/**
 * Reads tokens in the order of an index; filters walk them in that order, but the tokens of one
 * user are few and are sorted.
 */
export function tokenList(database: Reader): TokenLists['list'] {
  return async (filter, sort, limit, offset) => {
    const { parts, values } = conditions(filter);
    if (filter.userId !== undefined) {
      const own = `FROM personal_access_tokens ${indexedBy('tokens_of_user')} WHERE ${parts.join(' AND ')}`;
      const rows = read<object, TokenRow>(
        `SELECT ${tokenColumns} ${own} ORDER BY ${inOrder(sort)} LIMIT @limit OFFSET @offset`,
      );
      const counted = readValue<object, number>(
        `SELECT count(*) FROM (SELECT 1 ${own} LIMIT ${maxCounted + 1}) AS counted`,
      );
      return {
        rows: await database.all(rows, { ...values, limit, offset }),
        total: totalOf((await database.one(counted, values)) ?? 0),
      };
    }
    if (parts.length === 0) {
      const places = await database.all(placesOf(sort, ''), { limit, offset });
      return { rows: await rowsAt(database, places), total: totalOf((await database.one(allCounted)) ?? 0) };
    }
    const fitting = readValue<object, number>(
      `SELECT id FROM personal_access_tokens WHERE ${inNumbers('id', '@ids')} AND ${parts.join(' AND ')}`,
    );
    const { places, total } = await walkList<number>({
      steps: database.steps,
      places: async (after, size) => placesBehind(database, sort, after, size),
      fitting: async (ids) => database.all(fitting, { ...values, ids: JSON.stringify(ids) }),
      after: null,
      limit,
      offset,
      counts: true,
    });
    return { rows: await rowsAt(database, places), total };
  };
}

/**
 * @param tied whether `where` leaves only tokens with the key @key: SQLite would sort by an
 * expression that is one value.
 */
function placesOf(sort: TokenSort, where: string, tied = false): ReadQuery<Values, Place<number>> {
  const { key, index } = orders[sort];
  const shown = tied ? perEngine('@key', key) : key;
  const by = tied ? byNumber(sort) : inOrder(sort);
  return read(
    `SELECT ${shown} AS "key", id FROM personal_access_tokens ${indexedBy(index)} ${where} ORDER BY ${by} LIMIT @limit OFFSET @offset`,
  );
}

/**
 * The tokens after a position: the rest of those with its key, then the others. One comparison of
 * both columns would read all tokens with that key in each step of a walk.
 */
async function placesBehind(
  database: Reader,
  sort: TokenSort,
  after: Place<number> | null,
  limit: number,
): Promise<readonly Place<number>[]> {
  if (after === null) return database.all(placesOf(sort, ''), { limit, offset: 0 });
  const { key, descending, newestFirst } = orders[sort];
  const sameKey = placesOf(sort, `WHERE ${key} = @key AND id ${newestFirst ? '<' : '>'} @id`, true);
  const tied = await database.all(sameKey, { ...after, limit, offset: 0 });
  if (tied.length === limit) return tied;
  const behind = placesOf(sort, `WHERE ${key} ${descending ? '<' : '>'} @key`);
  return [...tied, ...(await database.all(behind, { key: after.key, limit: limit - tied.length, offset: 0 }))];
}

async function rowsAt(database: Reader, places: readonly Place<number>[]): Promise<readonly TokenRow[]> {
  const found = await database.all(byId, JSON.stringify(places.map(({ id }) => id)));
  const rows = new Map(found.map((row) => [row.id, row]));
  return places.flatMap(({ id }) => rows.get(id) ?? []);
}

function inOrder(sort: TokenSort): string {
  const { key, descending } = orders[sort];
  return `${key} ${descending ? 'DESC' : 'ASC'}, ${byNumber(sort)}`;
}

function byNumber(sort: TokenSort): string {
  return `id ${orders[sort].newestFirst ? 'DESC' : 'ASC'}`;
}

const stillHolds = '(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > @now))';

function conditions(filter: TokenFilter): { readonly parts: readonly string[]; readonly values: Values } {
  const parts: string[] = [];
  const values: Record<string, string | number> = {};
  const add = (part: string, name: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    parts.push(part);
    values[name] = value;
  };
  add('user_id = @user', 'user', filter.userId);
  add(
    like('name_key', '@search'),
    'search',
    filter.search === undefined ? undefined : likePattern(foldedKey(filter.search)),
  );
  add('created_at > @createdAfter', 'createdAfter', filter.createdAfter);
  add('created_at < @createdBefore', 'createdBefore', filter.createdBefore);
  add('expires_at > @expiresAfter', 'expiresAfter', filter.expiresAfter);
  add('expires_at < @expiresBefore', 'expiresBefore', filter.expiresBefore);
  add('last_used_at > @lastUsedAfter', 'lastUsedAfter', filter.lastUsedAfter);
  add('last_used_at < @lastUsedBefore', 'lastUsedBefore', filter.lastUsedBefore);
  add(filter.active?.is === true ? stillHolds : `NOT ${stillHolds}`, 'now', filter.active?.at);
  if (filter.revoked !== undefined) parts.push(`revoked_at IS ${filter.revoked ? 'NOT NULL' : 'NULL'}`);
  return { parts, values };
}
