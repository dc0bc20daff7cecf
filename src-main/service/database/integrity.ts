import Database from 'better-sqlite3';
import path from 'node:path';
import { explainStartFailure } from './explain-start-failure.ts';

/**
 * SQLite's own check of a data directory's database, and of its foreign keys. Nothing is written.
 *
 * @returns null when it is intact, else the first problem found.
 */
export function checkIntegrity(dataDir: string): string | null {
  try {
    const database = new Database(path.join(dataDir, 'benchport.db'), { readonly: true, timeout: 5000 });
    try {
      const [first] = database.pragma('quick_check(1)') as readonly { readonly quick_check: string }[];
      if (first?.quick_check !== 'ok') return first?.quick_check.replaceAll(/\s*\n\s*/g, ' ') ?? 'no answer';
      const orphan = database
        .prepare<[], { readonly table: string; readonly parent: string }>('PRAGMA foreign_key_check')
        .get();
      return orphan ? `a row of ${orphan.table} refers to one of ${orphan.parent} that is not there` : null;
    } finally {
      database.close();
    }
  } catch (error) {
    throw explainStartFailure(error, dataDir);
  }
}
