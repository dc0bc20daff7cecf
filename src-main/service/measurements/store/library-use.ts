import type { Transaction } from '../../database/port/database.ts';
import { readValue } from '../../database/port/query.ts';
import { one } from '../../database/port/steps.ts';

const inUse = readValue<[string], number>(
  `SELECT 1 FROM measurement_files JOIN measurements ON measurements.id = measurement_id AND storage = 'library' WHERE location = ? LIMIT 1`,
);

/** The places in the library that no measurement uses; files of an object have none. */
export function* unusedOf(locations: Iterable<string>): Transaction<string[]> {
  const unused: string[] = [];
  for (const location of locations)
    if (location !== '' && (yield* one(inUse, location)) === null) unused.push(location);
  return unused;
}
