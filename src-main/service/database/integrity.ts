import Database from 'better-sqlite3';
import path from 'node:path';
import { explainStartFailure } from './explain-start-failure.ts';

/**
 * SQLite's own check of a data directory's database. Nothing is written.
 *
 * @returns null when it is whole, else the first trouble found.
 */
export function checkIntegrity(dataDir: string): string | null {
  try {
    const database = new Database(path.join(dataDir, 'benchport.db'), { readonly: true, timeout: 5000 });
    try {
      const [first] = database.pragma('quick_check(1)') as readonly { readonly quick_check: string }[];
      return first?.quick_check === 'ok' ? null : (first?.quick_check ?? 'no answer');
    } finally {
      database.close();
    }
  } catch (error) {
    throw explainStartFailure(error, dataDir);
  }
}
