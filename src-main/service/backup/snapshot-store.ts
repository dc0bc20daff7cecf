import path from 'node:path';
import { openSqliteFile } from '../database/sqlite/sqlite-file.ts';

/** A library file listed in the snapshot. */
export interface StoredObject {
  /** Path relative to the library folder. */
  readonly location: string;
  readonly length: number;
  readonly crc32: number;
  /** Measurement and path that refer to it, for messages. */
  readonly usedBy: string;
}

export interface Snapshot {
  readonly measurements: number;
  readonly users: number;
  readonly databaseVersion: number;
  /**
   * Objects in the order of their location, one page at a time, so that memory does not grow with
   * the library.
   */
  objectsAfter(location: string, limit: number): readonly StoredObject[];
  close(): void;
}

/**
 * Writes a consistent copy of a data directory's database, also while a service writes to it
 * (SQLite "VACUUM INTO").
 */
export function takeSnapshot(dataDir: string, target: string): void {
  const database = openSqliteFile(path.join(dataDir, 'benchport.db'), { readonly: true, timeout: 5000 });
  try {
    database.prepare('VACUUM INTO ?').run(target);
  } finally {
    database.close();
  }
}

/**
 * Deletes the running backup job from a snapshot: after a restore it would appear as interrupted.
 */
export function deleteRunningBackups(file: string): void {
  const database = openSqliteFile(file);
  try {
    database.prepare("DELETE FROM jobs WHERE kind = 'backup' AND ended_at IS NULL").run();
  } finally {
    database.close();
  }
}

/**
 * Blocks writes to a data directory's database by other processes until the returned function is
 * called.
 */
export function holdWriters(dataDir: string): () => void {
  const database = openSqliteFile(path.join(dataDir, 'benchport.db'), { timeout: 5000, fileMustExist: true });
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

/** Opens a snapshot for reading. */
export function openSnapshot(file: string): Snapshot {
  const database = openSqliteFile(file, { readonly: true });
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

/** Runs SQLite's integrity check. @returns the first damage, or null. */
export function snapshotDamage(file: string): string | null {
  const database = openSqliteFile(file, { readonly: true });
  try {
    const [first] = database.pragma('integrity_check(1)') as readonly { readonly integrity_check: string }[];
    return first?.integrity_check === 'ok' ? null : (first?.integrity_check ?? 'no answer');
  } finally {
    database.close();
  }
}
