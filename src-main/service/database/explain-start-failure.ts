import path from 'node:path';
import { errorCode } from '../common/error-code.ts';
import { StartError } from '../common/start-error.ts';

/**
 * Turns an error of SQLite or the file system about a data directory into a line that says what to
 * do.
 */
export function explainStartFailure(error: unknown, dataDir: string): unknown {
  if (error instanceof StartError) return error;
  const code = errorCode(error);
  const options = { cause: error };
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return damagedDatabase(dataDir, null, options);
  }
  if (
    code.startsWith('SQLITE_READONLY') ||
    code === 'EROFS' ||
    code === 'EACCES' ||
    code === 'EPERM' ||
    code.startsWith('SQLITE_CANTOPEN')
  ) {
    return new StartError(
      'data-unusable',
      `The data directory ${dataDir} cannot be written. Give this user write access to it, or choose another one with --data.`,
      options,
    );
  }
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') {
    return new StartError(
      'data-unusable',
      `The disk of the data directory ${dataDir} is full. Free some space and start again.`,
      options,
    );
  }
  if (code === 'ENOTDIR' || code === 'EEXIST') {
    return new StartError('data-unusable', `${dataDir} is not a directory. Choose another one with --data.`, options);
  }
  return error;
}

/** The error for a damaged database, with the damage found. */
export function damagedDatabase(dataDir: string, damage: string | null, options?: ErrorOptions): StartError {
  const file = path.join(dataDir, 'benchport.db');
  return new StartError(
    'data-unusable',
    `The database ${file} is damaged${damage === null ? '' : ` (${damage})`}. Move it away and restore a backup; copies from before updates are in ${path.join(dataDir, 'backups')}. Measurement files are not affected.`,
    options,
  );
}
