import path from 'node:path';
import { readBackupSchedule, readFailedBackup, readLastBackup } from '../../backup/backup-notes.ts';
import { backupEveryMs } from '../../backup/backup-schedule.ts';
import type { SettingsStore } from '../../database/settings-store.ts';
import type { Condition } from '../store/conditions-store.ts';
import type { NotificationStores } from '../store/stores.ts';

export interface LateBackupDeps extends Pick<NotificationStores, 'conditions'> {
  readonly settings: SettingsStore;
}

/** A machine that was off makes the backup that is due when it is on again. */
const graceMs = 3_600_000;

/**
 * Tells of scheduled backups that fail, or that were not made for twice their interval.
 *
 * @param now milliseconds since 1970, by a clock that can be trusted.
 */
export async function tellOfLateBackup(
  { conditions, settings }: LateBackupDeps,
  now: number,
  elapsedMs: number,
): Promise<void> {
  const schedule = await readBackupSchedule(settings);
  const found: Condition[] = [];
  if (schedule) {
    const [last, failed] = await Promise.all([readLastBackup(settings), readFailedBackup(settings)]);
    const everyMs = backupEveryMs[schedule.every];
    const madeAt = last !== null && path.dirname(last.file) === schedule.folder ? Date.parse(last.made_at) : null;
    if (failed) found.push(conditionOf(`The last backup was not written: ${failed.reason}`, 0));
    // Without a first one it is not known when it should have been.
    else if (madeAt === null) found.push(conditionOf('No backup was made yet', 2 * everyMs));
    else if (now > madeAt + 2 * everyMs)
      found.push(conditionOf(`The last one is of ${new Date(madeAt).toISOString().slice(0, 10)}`, graceMs));
  }
  await conditions.observe('backup-late', found, elapsedMs);
}

function conditionOf(title: string, afterMs: number): Condition {
  const happening = { subject: 'backup', measurement_id: null, project_id: null, user_id: null, title };
  return { subject: 'backup', mark: 'late', afterMs, happening };
}
