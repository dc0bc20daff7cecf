import type { SqliteConnection, SqliteStatement } from '../../database/sqlite/sqlite-file.ts';
import type { FetchEvent } from '../../../../src-shared/states/fetch-states.ts';
import { eventSql } from './fetch-event-sql.ts';
import type { FetchUpdate } from './fetch-row.ts';

interface Updating {
  readonly statement: SqliteStatement;
  /** Values of its first parameters. */
  readonly values: readonly unknown[];
}

/** Builds the UPDATE statements of fetches. Each of the dozens of forms in use is prepared once. */
export function fetchUpdates(database: SqliteConnection) {
  const prepared = new Map<string, SqliteStatement>();

  function updating(update: FetchUpdate, others: readonly string[], where: string): Updating {
    const named = (Object.keys(update) as (keyof FetchUpdate)[]).filter((name) => update[name] !== undefined);
    const text = `UPDATE fetches SET ${[...named.map((name) => assignments[name]), ...others].join(', ')} WHERE ${where}`;
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    return { statement, values: named.map((name) => update[name]) };
  }

  return {
    /** Sets members of the rows that `where` selects. */
    set: (update: FetchUpdate, where: string): Updating => updating(update, [], where),
    /** Applies an event at a time to those of the selected rows that it changes. */
    apply: (event: FetchEvent, now: number, update: FetchUpdate, where: string): Updating => {
      const { assignments: ofEvent, applies } = eventSql(event);
      const { statement, values } = updating(update, [ofEvent], `${where} AND ${applies}`);
      return { statement, values: [...values, now] };
    },
  };
}

const assignments: Readonly<Record<keyof FetchUpdate, string>> = {
  reason: 'reason = ?',
  message: 'message = ?',
  serverId: 'server_id = ?',
  baseUrl: 'base_url = ?',
  attempts: 'attempts = ?',
  retryAt: 'retry_at = ?',
  startedAt: 'started_at = ifnull(started_at, ?)',
  verifiedAt: 'verified_at = ?',
  target: 'target = ?',
  priority: 'priority = ?',
  activeMs: 'active_ms = active_ms + ?',
};
