import type Database from 'better-sqlite3';
import { foldedKey } from '../../database/text-search.ts';
import { maxCounted } from '../../database/totals.ts';
import { accessColumns, type AccessOrder, type ListPosition } from './access-order.ts';

interface Found extends ListPosition {
  readonly title_key: string;
}

/**
 * Finds measurements with files that are not as registered. They are few, so all are sorted and
 * searched in memory.
 */
export function degradedMeasurements(
  database: Database.Database,
): (order: AccessOrder, search: string) => readonly ListPosition[] {
  const statements = new Map<string, Database.Statement<[string, number, number], Found>>();
  return ({ readers, sort, descending, now }, search) => {
    const name = `${sort} ${descending}`;
    const direction = descending ? 'DESC' : 'ASC';
    const statement =
      statements.get(name) ??
      database.prepare<[string, number, number], Found>(
        `SELECT DISTINCT ${accessColumns[sort]} AS "key", measurement_id AS id, title_key FROM measurement_access INDEXED BY measurement_access_by_state
         WHERE reader IN (SELECT value FROM json_each(?)) AND state = 'degraded' AND until > ? ORDER BY 1 ${direction}, 2 ${direction} LIMIT ?`,
      );
    statements.set(name, statement);
    const wanted = foldedKey(search);
    const found = statement.all(JSON.stringify(readers), now, maxCounted + 1);
    return wanted === ''
      ? found
      : found.filter(({ id, title_key: title }) => title.includes(wanted) || foldedKey(id).includes(wanted));
  };
}
