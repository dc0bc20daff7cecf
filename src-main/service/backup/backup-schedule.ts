import path from 'node:path';
import { activeJobStates } from '../../../src-shared/states/job-states.ts';
import type { BackupSchedule } from '../contract/backups.ts';
import { isoTime } from '../common/iso-time.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import { HttpProblem } from '../common/problem.ts';
import { noteFailedBackup, readBackupSchedule, readFailedBackup, readLastBackup } from './backup-notes.ts';
import { newBackup } from './backup-work.ts';
import { datedBackup } from './kept-backups.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { JobStores } from '../jobs/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

const hour = 3600_000;
const day = 24 * hour;
/** Milliseconds from one scheduled backup to the next. */
export const backupEveryMs: Readonly<Record<BackupSchedule['every'], number>> = { day, week: 7 * day };
const checkEveryMs = 60_000;

/**
 * When the next backup is due, in milliseconds since 1970: after the last one in the schedule's
 * folder, and at least an hour after a failure.
 */
export async function nextBackupAt(
  services: Pick<ServiceContext, 'settings'>,
  schedule: BackupSchedule,
  now: number,
): Promise<number> {
  const [last, failed] = await Promise.all([readLastBackup(services.settings), readFailedBackup(services.settings)]);
  // Manual backups into the schedule's folder count too; those into other folders do not.
  const due =
    last !== null && path.dirname(last.file) === schedule.folder
      ? Date.parse(last.made_at) + backupEveryMs[schedule.every]
      : now;
  return failed === null ? due : Math.max(due, Date.parse(failed.at) + hour);
}

/** Queues a backup if one is due. @returns whether it did. */
export async function backUpIfDue(
  services: JobStores &
    Pick<ServiceContext, 'events' | 'log' | 'settings'> & {
      readonly config: ServiceConfig;
    },
  runner: JobRunner,
  now: number,
): Promise<boolean> {
  const schedule = await readBackupSchedule(services.settings);
  if (!schedule || (await services.jobs.inState(...activeJobStates)).some((job) => job.kind === 'backup')) return false;
  if ((await nextBackupAt(services, schedule, now)) > now) return false;
  try {
    await runner.enqueue(await newBackup(services, datedBackup(schedule.folder, now), null, schedule.keep));
    return true;
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    // For example, the disk is not mounted.
    await noteFailedBackup(services.settings, { at: isoTime(now), reason: error.message });
    services.events.emit('changed', { topic: 'backups' });
    services.log.warn({ err: error }, 'the backup that is due cannot be made');
    return false;
  }
}

/** Checks once a minute. @returns a function that stops the checks. */
export function startBackupSchedule(
  services: JobStores &
    Pick<ServiceContext, 'events' | 'log' | 'settings'> & {
      readonly config: ServiceConfig;
    },
  runner: JobRunner,
): () => void {
  const timer = setInterval(() => {
    void backUpIfDue(services, runner, Date.now()).catch((error: unknown) =>
      services.log.warn({ err: error }, 'no backup was started'),
    );
  }, checkEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}
