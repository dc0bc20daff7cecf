import Database from 'better-sqlite3';
import path from 'node:path';

/** A file of the library as the snapshot names it. */
export interface StoredObject {
  /** Below the library folder. */
  readonly location: string;
  readonly length: number;
  readonly crc32: number;
  /** Measurement and path that name it, for messages. */
  readonly usedBy: string;
}

export interface Snapshot {
  readonly measurements: number;
  readonly users: number;
  readonly databaseVersion: number;
  /** Objects in the order of their location, some at a time, so that nothing grows with the library. */
  objectsAfter(location: string, limit: number): readonly StoredObject[];
  close(): void;
}

/** Writes a whole and consistent copy of a data directory's database, also while a service writes to it (SQLite, "VACUUM INTO"). */
export function takeSnapshot(dataDir: string, target: string): void {
  const database = new Database(path.join(dataDir, 'benchport.db'), { readonly: true, timeout: 5000 });
  try {
    database.prepare('VACUUM INTO ?').run(target);
  } finally {
    database.close();
  }
}

/** Takes out of a copy what makes the copy: whoever restores it would find that work unfinished, and failed. */
export function forgetBackupsUnderWay(file: string): void {
  const database = new Database(file);
  try {
    database.prepare("DELETE FROM jobs WHERE kind = 'backup' AND ended_at IS NULL").run();
  } finally {
    database.close();
  }
}

/** Keeps every other process from writing into a data directory's database until the answer is called. */
export function holdWriters(dataDir: string): () => void {
  const database = new Database(path.join(dataDir, 'benchport.db'), { timeout: 5000, fileMustExist: true });
  try {
    database.exec('BEGIN IMMEDIATE');
  } catch (error) {
    database.close();
    throw error;
  }
  return () => {
    database.exec('ROLLBACK');
    database.close();
  };
}

/** Opens a copy of the database to see what belongs to it. */
export function openSnapshot(file: string): Snapshot {
  const database = new Database(file, { readonly: true });
  const objects = database.prepare<[string, number], StoredObject>(
    `SELECT location, files.length, files.crc32, min(files.measurement_id || '/' || files.path) AS usedBy
     FROM measurement_files AS files JOIN measurements ON measurements.id = files.measurement_id
     WHERE measurements.storage = 'library' AND location > ? GROUP BY location ORDER BY location LIMIT ?`,
  );
  return {
    measurements: database.prepare<[], number>('SELECT count(*) FROM measurements').pluck().get() ?? 0,
    users: database.prepare<[], number>('SELECT count(*) FROM users').pluck().get() ?? 0,
    databaseVersion: database.pragma('user_version', { simple: true }) as number,
    objectsAfter: (location, limit) => objects.all(location, limit),
    close: () => database.close(),
  };
}

/** SQLite's own check of a file that claims to be a database. @returns null when it is whole. */
export function snapshotDamage(file: string): string | null {
  const database = new Database(file, { readonly: true });
  try {
    const [first] = database.pragma('integrity_check(1)') as readonly { readonly integrity_check: string }[];
    return first?.integrity_check === 'ok' ? null : (first?.integrity_check ?? 'no answer');
  } finally {
    database.close();
  }
}
