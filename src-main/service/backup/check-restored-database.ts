import { existsSync } from 'node:fs';
import { errorCode } from '../common/error-code.ts';
import { unusable } from './read-backup.ts';
import { foreignDatabaseReason } from './restored-database-store.ts';
import { snapshotDamage } from './snapshot-store.ts';

/**
 * Checks that an unpacked database is intact and has the structure of a Benchport database.
 *
 * @param file the backup it was unpacked from, for messages.
 * @throws StartError when it is not.
 */
export function checkRestoredDatabase(database: string, file: string): void {
  if (!existsSync(database)) throw unusable(`${file} contains no database; the backup is incomplete.`);
  // Precedes SQLite's integrity check, which evaluates expressions that the schema defines.
  const reason = readable(file, () => foreignDatabaseReason(database));
  if (reason !== null) throw unusable(`The database in ${file} is not a Benchport database: ${reason}.`);
  const damage = readable(file, () => snapshotDamage(database));
  if (damage !== null) throw unusable(`The database in ${file} is damaged (${damage}). Use another backup.`);
}

function readable<T>(file: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error))) throw error;
    throw unusable(`The database in ${file} is damaged (${errorCode(error)}). Use another backup.`, error);
  }
}
