import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { HttpProblem } from '../common/problem.ts';
import { JobFailed, JobStopped, parametersOf, type Work } from '../jobs/job-work.ts';
import type { JobRow, NewJob } from '../jobs/jobs-store.ts';
import { targetFolder } from '../measurements/export/export.ts';
import { failureText } from '../files/register-failures.ts';
import { noteBackup, noteFailedBackup } from './backup-notes.ts';
import { DataTaskFailed, onDataThread } from './data-thread.ts';
import { keepNewest } from './kept-backups.ts';
import { newWorkFolder } from './write-backup.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

interface BackupParameters {
  readonly file: string;
  readonly work: string;
  /** Number of scheduled backups to retain; null for a manual backup. */
  readonly keep: number | null;
}

/**
 * Prepares a backup job, to be queued or run by the caller.
 *
 * @param keep number of scheduled backups to retain; null for a manual backup.
 * @throws HttpProblem when the file cannot be written there.
 */
export async function newBackup(
  services: { readonly config: ServiceConfig },
  wanted: string,
  userId: number | null,
  keep: number | null,
): Promise<NewJob> {
  if (!path.isAbsolute(wanted) || wanted.includes('\0'))
    throw new HttpProblem(422, 'Give the absolute path of a new file.', { type: 'bad-path' });
  const file = path.join(await targetFolder(services, path.dirname(wanted)), path.basename(wanted));
  if (existsSync(file))
    throw new HttpProblem(409, `${file} already exists. Choose another name.`, { type: 'file-exists' });
  const parameters: BackupParameters = { file, work: newWorkFolder(file), keep };
  return { kind: 'backup', measurementId: '', userId, parameters: { ...parameters } };
}

/** Writes a backup in a worker thread and records the outcome. */
export const backupWork: Work<
  Pick<AuditStores, 'audit'> &
    Pick<ServiceContext, 'events' | 'settings'> & {
      readonly config: ServiceConfig;
    }
> = {
  resumable: false,
  run: async (services, context) => {
    const { file, work, keep } = parametersOf(context.job) as BackupParameters;
    context.report({ message: 'Copying the database' });
    try {
      const { dataDir, version } = services.config;
      const made = await onDataThread(
        { kind: 'backup', dataDir, file, work, programVersion: version },
        context.signal,
        async (progress) => {
          context.report({ ...progress, message: null });
          await context.gate();
        },
      );
      const { bytes, measurements, leftOut } = made;
      await noteBackup(services.settings, {
        made_at: new Date().toISOString(),
        file,
        bytes,
        measurements,
        left_out: leftOut.length,
      });
      if (keep !== null) await keepNewest(services.settings, file, keep);
      await services.audit.record({
        userId: context.job.user_id,
        action: 'data.backup',
        subject: 'data',
        detail: file,
      });
      const message =
        leftOut.length === 0
          ? null
          : `Not in the backup, because the library no longer has what was registered: ${leftOut.slice(0, 3).join(', ')}`;
      return { message, result: file };
    } catch (error) {
      const failure = explained(error, file);
      const reason =
        failure instanceof JobFailed ? failure.message : cancelled(error) && keep !== null ? 'It was cancelled.' : null;
      if (reason !== null) await noteFailedBackup(services.settings, { at: new Date().toISOString(), reason });
      throw failure;
    } finally {
      services.events.emit('changed', { topic: 'backups' });
    }
  },
  discard: removeWork,
  restarted: (services, job) => {
    const { file, keep } = parametersOf(job) as BackupParameters;
    return newBackup(services, file, job.user_id, keep);
  },
};

async function removeWork(_services: unknown, job: JobRow): Promise<void> {
  const { work } = parametersOf(job) as BackupParameters;
  if (path.basename(work).startsWith('.benchport-backup-')) await rm(work, { recursive: true, force: true });
}

function cancelled(error: unknown): boolean {
  return error instanceof JobStopped && error.why === 'cancel';
}

function explained(error: unknown, file: string): unknown {
  if (!(error instanceof DataTaskFailed)) return error;
  if (error.expected) return new JobFailed(error.message);
  if (error.code === null) return error;
  const full = error.code === 'SQLITE_FULL';
  return new JobFailed(
    `The backup cannot be written to ${path.dirname(file)}: ${full ? 'the disk is full' : failureText(error)}.`,
  );
}
