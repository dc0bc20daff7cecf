import type Database from 'better-sqlite3';
import type { FetchUpdate } from './fetch-row.ts';

interface Updating {
  readonly statement: Database.Statement;
  /** Values of its first parameters. */
  readonly values: readonly unknown[];
}

/**
 * Builds UPDATE statements for the given members. Each of the dozen forms in use is prepared once.
 */
export function fetchUpdates(database: Database.Database): (update: FetchUpdate, where: string) => Updating {
  const prepared = new Map<string, Database.Statement>();
  return (update, where) => {
    const named = (Object.keys(update) as (keyof FetchUpdate)[]).filter((name) => update[name] !== undefined);
    const text = `UPDATE fetches SET ${named.map((name) => assignments[name]).join(', ')} WHERE ${where}`;
    const statement = prepared.get(text) ?? database.prepare(text);
    prepared.set(text, statement);
    return { statement, values: named.map((name) => update[name]) };
  };
}

const assignments: Readonly<Record<keyof FetchUpdate, string>> = {
  state: 'state = ?',
  reason: 'reason = ?',
  message: 'message = ?',
  serverId: 'server_id = ?',
  baseUrl: 'base_url = ?',
  attempts: 'attempts = ?',
  retryAt: 'retry_at = ?',
  startedAt: 'started_at = ifnull(started_at, ?)',
  endedAt: 'ended_at = ?',
  verifiedAt: 'verified_at = ?',
  target: 'target = ?',
  priority: 'priority = ?',
  activeMs: 'active_ms = active_ms + ?',
};
