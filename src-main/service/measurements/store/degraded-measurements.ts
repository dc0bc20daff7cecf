import type { Reader } from '../../database/port/database.ts';
import { inNumbers, indexedBy } from '../../database/port/dialect.ts';
import { read } from '../../database/port/query.ts';
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
export async function degradedMeasurements(
  database: Reader,
  { readers, sort, descending, now }: AccessOrder,
  search: string,
): Promise<readonly ListPosition[]> {
  const direction = descending ? 'DESC' : 'ASC';
  const query = read<[string, number, number], Found>(
    `SELECT DISTINCT ${accessColumns[sort]} AS "key", measurement_id AS id, title_key FROM measurement_access ${indexedBy('measurement_access_by_state')}
     WHERE ${inNumbers('reader', '?')} AND state = 'degraded' AND until > ? ORDER BY 1 ${direction}, 2 ${direction} LIMIT ?`,
  );
  const wanted = foldedKey(search);
  const found = await database.all(query, JSON.stringify(readers), now, maxCounted + 1);
  return wanted === ''
    ? found
    : found.filter(({ id, title_key: title }) => title.includes(wanted) || foldedKey(id).includes(wanted));
}
