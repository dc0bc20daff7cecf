import { existsSync } from 'node:fs';
import { isoTime } from '../common/iso-time.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { BackupState } from '../contract/backups.ts';
import type { ServiceContext } from '../http/service-context.ts';
import type { JobStores } from '../jobs/stores.ts';
import { readBackupSchedule, readFailedBackup, readLastBackup } from './backup-notes.ts';
import { nextBackupAt } from './backup-schedule.ts';
import { readFailedMove, readMovedNote } from './data-location.ts';
import { readRestoredNote } from './switch-data.ts';

type Deps = JobStores & Pick<ServiceContext, 'settings'> & { readonly config: ServiceConfig };

/** When data were backed up, restored and moved. Places on the disk are for the window alone. */
export async function backupState(deps: Deps, inWindow: boolean): Promise<BackupState> {
  const [last, failed, schedule] = await Promise.all([
    readLastBackup(deps.settings),
    readFailedBackup(deps.settings),
    readBackupSchedule(deps.settings),
  ]);
  const restored = readRestoredNote(deps.config.dataDir);
  const moved = readMovedNote(deps.config.dataDir);
  return {
    last: last && { ...last, file: inWindow ? last.file : null, there: inWindow ? existsSync(last.file) : null },
    failed:
      failed &&
      (inWindow
        ? failed
        : { at: failed.at, reason: 'It could not be written. The window of Benchport on that machine says why.' }),
    schedule: schedule && {
      ...schedule,
      folder: inWindow ? schedule.folder : null,
      next_at: isoTime(await nextBackupAt(deps, schedule, Date.now())),
    },
    moved: moved && { moved_at: moved.moved_at, from: inWindow && existsSync(moved.from) ? moved.from : null },
    move_failed: inWindow ? readFailedMove(deps.config.dataDir) : null,
    restored: restored && {
      restored_at: restored.restored_at,
      as_of: restored.as_of,
      before: inWindow ? restored.before : null,
    },
  };
}
