import type { Api } from '../requests/request.ts';
import { createReaders } from './read-queries.ts';
import type { BackupState } from '../requests/types.ts';

/** Queries about backups. */
export function createBackupQueries(api: Api) {
  const { readJson } = createReaders(api);
  return {
    /** Administrators only. */
    backups: () => readJson<BackupState>(['backups'], '/api/v4/backups'),
  };
}
