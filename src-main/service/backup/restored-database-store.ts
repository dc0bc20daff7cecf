import { openSqliteFile, type SqliteConnection } from '../database/sqlite/sqlite-file.ts';
import { migrate } from '../database/migrate.ts';
import { migrations } from '../database/migrations/all.ts';
import { isKeptId, isMeasurementId } from '../../../src-shared/measurement-names.ts';
import { pathRefusal } from '../files/names.ts';

interface Part {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

interface NamedFile {
  readonly measurement: string;
  readonly path: string;
  readonly location: string;
  readonly copied: number;
}

const object = /^objects\/[0-9a-f]{2}\/[0-9a-f]{64}$/;

/**
 * Checks whether a database could have been written by Benchport: its schema must be ours, and no
 * stored name may lead out of the data folders, in which files are deleted by name. Unknown
 * triggers are the main risk, because they would run on every write.
 *
 * @returns the reason why not, or null.
 */
export function foreignDatabaseReason(file: string): string | null {
  const database = openSqliteFile(file, { readonly: true });
  try {
    database.pragma('trusted_schema = OFF');
    return schemaDifference(database) ?? nameOutsideFolders(database);
  } finally {
    database.close();
  }
}

function schemaDifference(database: SqliteConnection): string | null {
  const version = database.pragma('user_version', { simple: true }) as number;
  const known = migrations.filter(({ number }) => number <= version);
  if (known.at(-1)?.number !== version) return `its tables are of version ${version}, which this program does not know`;
  const [ours, theirs] = [partsOfVersion(known), partsOf(database)];
  for (const [key, sql] of theirs)
    if (ours.get(key) !== sql) return `it holds the ${key}, which is not as Benchport makes it`;
  for (const key of ours.keys()) if (!theirs.has(key)) return `it lacks the ${key}`;
  return null;
}

function partsOfVersion(known: typeof migrations): ReadonlyMap<string, string> {
  const database = openSqliteFile(':memory:');
  try {
    migrate(database, known, '');
    return partsOf(database);
  } finally {
    database.close();
  }
}

/** Schema objects with their SQL, without quotes, which SQLite adds when it renames a table. */
function partsOf(database: SqliteConnection): ReadonlyMap<string, string> {
  const parts = database.prepare<[], Part>('SELECT type, name, sql FROM sqlite_schema').all();
  return new Map(parts.map(({ type, name, sql }) => [`${type} ${name}`, (sql ?? '').replaceAll('"', '')]));
}

function nameOutsideFolders(database: SqliteConnection): string | null {
  for (const id of database.prepare<[], string>('SELECT id FROM measurements').pluck().iterate()) {
    if (!isMeasurementId(id) && !isKeptId(id)) return `a measurement is called ${shown(id)}`;
  }
  const files = database.prepare<[], NamedFile>(
    `SELECT measurement_id AS measurement, path, location, storage = 'library' AS copied
     FROM measurement_files JOIN measurements ON measurements.id = measurement_id`,
  );
  for (const { measurement, path, location, copied } of files.iterate()) {
    const refusal = pathRefusal(path);
    if (refusal !== null) return `a file of ${measurement} is called ${shown(path)}: ${refusal}`;
    // Empty where an object of the object storage holds the file.
    if (copied === 1 && location !== '' && !object.test(location))
      return `a file of ${measurement} lies at ${shown(location)}, which is not in the library`;
  }
  return null;
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}
