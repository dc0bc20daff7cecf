import type { Api } from '../requests/request.ts';
import type { BackupPreview, BackupSchedule, BackupState, Job } from '../requests/types.ts';

/** Backups and moving the data directory, in the window only. */
export function createBackupActions(api: Api) {
  return {
    backUp: (file: string) => api.json<Job>('/api/v4/local/backups', { method: 'POST', body: { file } }),
    setBackupSchedule: (schedule: BackupSchedule | null) =>
      api.json<BackupState>('/api/v4/local/backups/schedule', { method: 'PUT', body: { schedule } }),
    inspectBackup: (file: string) =>
      api.json<BackupPreview>('/api/v4/local/backups/inspect', { method: 'POST', body: { file } }),
    moveData: (to: string) => api.json<BackupState>('/api/v4/local/data/move', { method: 'POST', body: { to } }),
    restoreBackup: (file: string) => api.json<Job>('/api/v4/local/backups/restore', { method: 'POST', body: { file } }),
  };
}
