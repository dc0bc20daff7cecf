import type { Reader } from '../database/port/database.ts';
import { indexedBy } from '../database/port/dialect.ts';
import { read, readValue } from '../database/port/query.ts';
import { maxCounted, totalOf, type Total } from '../database/totals.ts';

export interface AuditRow {
  readonly id: number;
  readonly at: number;
  readonly username: string | null;
  readonly application: string | null;
  readonly action: string;
  readonly subject: string;
  readonly detail: string | null;
  readonly address: string | null;
}

/** Filter of the audit trail; all given conditions must hold. */
export interface AuditFilter {
  readonly userId: number | null;
  /** Prefix of the action, such as `user.` or `token.revoke`; empty for all. */
  readonly action: string;
  /** Start of the period (inclusive) and its end (exclusive), in milliseconds since 1970. */
  readonly from: number | null;
  readonly before: number | null;
}

/** Sort key of a row. */
export type AuditPosition = Pick<AuditRow, 'at' | 'id'>;

export interface AuditListStore {
  /** One page, newest first, with the total count. */
  page(
    filter: AuditFilter,
    limit: number,
    offset: number,
  ): Promise<{ readonly rows: readonly AuditRow[]; readonly total: Total }>;
  /** Rows older than the given one, or the newest for null; newest first, at most `limit`. */
  older(filter: AuditFilter, than: AuditPosition | null, limit: number): Promise<readonly AuditRow[]>;
}

type Values = Readonly<Record<string, string | number | null>>;

const columns =
  'event.id, event.at, username, oauth_applications.name AS application, action, subject, detail, address';
const joined =
  'audit_events AS event LEFT JOIN users ON users.id = event.user_id LEFT JOIN oauth_applications ON oauth_applications.id = event.application_id';
// SQLite allows 500 parts in a compound SELECT; only some dozens of actions exist.
const maxActions = 300;

const nextAction = readValue<[string, string], string>(
  'SELECT action FROM audit_events WHERE action >= ? AND action < ? ORDER BY action LIMIT 1',
);

/** A statement without a limit, and its values. */
interface Ordered {
  readonly sql: string;
  readonly values: Values;
}

/**
 * Reads the audit trail in index order; for a prefix of actions it merges one sorted part for each
 * action.
 */
export function auditListStore(database: Reader): AuditListStore {
  return {
    page: async (filter, limit, offset) => {
      const order = await ordered(database, filter, null);
      const count = readValue<Values, number>(`SELECT count(*) FROM (${order.sql} LIMIT ${maxCounted + 1}) AS counted`);
      return {
        rows: await rowsOf(database, order, limit, offset),
        total: totalOf((await database.one(count, order.values)) ?? 0),
      };
    },
    older: async (filter, than, limit) => rowsOf(database, await ordered(database, filter, than), limit, 0),
  };
}

async function actionsLike(database: Reader, beginning: string): Promise<readonly string[]> {
  const actions: string[] = [];
  // Actions are ASCII, so those with a prefix sort from the prefix up to the prefix followed by
  // the last code point.
  const end = `${beginning}\u{10ffff}`;
  let next = await database.one(nextAction, beginning, end);
  while (next !== null && actions.length < maxActions) {
    actions.push(next);
    next = await database.one(nextAction, `${next}\u0001`, end);
  }
  return actions;
}

/** Selects times and ids of the matching rows. */
async function ordered(database: Reader, filter: AuditFilter, than: AuditPosition | null): Promise<Ordered> {
  const actions = filter.action === '' ? [null] : await actionsLike(database, filter.action);
  const index = `audit_by_${filter.userId === null ? '' : 'user_'}${filter.action === '' ? '' : 'action_'}time`;
  const parts = actions.map((action, at) => {
    const where = [
      'TRUE',
      ...(filter.userId === null ? [] : ['user_id = @userId']),
      ...(action === null ? [] : [`action = @action${at}`]),
      ...(filter.from === null ? [] : ['at >= @from']),
      ...(filter.before === null ? [] : ['at < @before']),
      ...(than === null ? [] : ['(at, id) < (@thanAt, @thanId)']),
    ];
    return `SELECT at, id FROM audit_events ${indexedBy(index)} WHERE ${where.join(' AND ')}`;
  });
  return {
    sql:
      parts.length === 0
        ? 'SELECT at, id FROM audit_events WHERE FALSE'
        : `${parts.join(' UNION ALL ')} ORDER BY at DESC, id DESC`,
    values: {
      ...filter,
      ...Object.fromEntries(actions.map((action, at) => [`action${at}`, action])),
      ...(than === null ? {} : { thanAt: than.at, thanId: than.id }),
    },
  };
}

async function rowsOf(
  database: Reader,
  { sql, values }: Ordered,
  limit: number,
  offset: number,
): Promise<readonly AuditRow[]> {
  const query = read<Values, AuditRow>(
    `SELECT ${columns} FROM (${sql} LIMIT @limit OFFSET @offset) AS page CROSS JOIN ${joined} WHERE event.id = page.id ORDER BY page.at DESC, page.id DESC`,
  );
  return database.all(query, { ...values, limit, offset });
}
