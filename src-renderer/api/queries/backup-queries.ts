import { queryOptions } from '@tanstack/react-query';
import type { Api } from '../requests/request.ts';
import type { BackupState } from '../requests/types.ts';

/** Queries about backups. */
export function createBackupQueries(api: Api) {
  return {
    /** Administrators only. */
    backups: () =>
      queryOptions({
        queryKey: ['backups'],
        queryFn: ({ signal }) => api.json<BackupState>('/api/v4/backups', { signal }),
      }),
  };
}
