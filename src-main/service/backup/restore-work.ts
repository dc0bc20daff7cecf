import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { formatBytes } from '../common/format-bytes.ts';
import { freeBytes } from '../common/free-bytes.ts';
import { HttpProblem } from '../common/problem.ts';
import { JobFailed, parametersOf, type Work } from '../jobs/job-work.ts';
import type { NewJob } from '../jobs/jobs-store.ts';
import { failureText } from '../files/register-failures.ts';
import { StartError } from '../common/start-error.ts';
import { DataTaskFailed, onDataThread } from './data-thread.ts';
import { readBackupContents, type BackupContents } from './read-backup.ts';
import { scheduleSwitch, restorePaths } from './switch-data.ts';
import type { ServiceConfig } from '../config/config.ts';

const spare = 64 * 1024 * 1024;

/**
 * Reads the contents of a backup to restore. @throws HttpProblem 422 when it is not a backup that
 * this version can restore.
 */
export async function backupContents(file: string): Promise<BackupContents> {
  if (!path.isAbsolute(file) || file.includes('\0'))
    throw new HttpProblem(422, 'Give the absolute path of a backup.', { type: 'bad-path' });
  try {
    return await readBackupContents(file);
  } catch (error) {
    if (error instanceof StartError) throw new HttpProblem(422, error.message, { type: 'bad-backup', cause: error });
    throw error;
  }
}

/**
 * Prepares a job that restores a backup in place of the service's data, to be queued by the caller.
 *
 * @throws HttpProblem when the file is not a backup, or the disk has too little space beside the
 * data directory.
 */
export async function newRestoration(
  services: { readonly config: ServiceConfig },
  file: string,
  userId: number | null,
): Promise<NewJob> {
  const { bytes } = await backupContents(file);
  const { dataDir } = services.config;
  const parent = path.dirname(dataDir);
  if ((await stat(parent)).dev !== (await stat(dataDir)).dev) {
    throw new HttpProblem(
      409,
      `${dataDir} is the root of a disk, so it cannot be replaced. Restore into another folder with "benchport restore".`,
      {
        type: 'own-disk',
      },
    );
  }
  const [needed, free] = [bytes + spare, await freeBytes(parent)];
  if (free < needed) {
    throw new HttpProblem(
      507,
      `Restoring needs ${formatBytes(needed)} beside ${dataDir}, and ${formatBytes(free)} is free there. The current data is kept until you remove it.`,
      { type: 'disk-full' },
    );
  }
  return { kind: 'restore', measurementId: '', userId, parameters: { file } };
}

/**
 * Unpacks and verifies a backup beside the data directory, and schedules the switch for the next
 * start.
 */
export const restoreWork: Work<{ readonly config: ServiceConfig }> = {
  resumable: false,
  run: async (services, context) => {
    const { file } = parametersOf(context.job) as { readonly file: string };
    const { dataDir } = services.config;
    const { unpacking } = restorePaths(dataDir);
    await rm(unpacking, { recursive: true, force: true });
    try {
      const about = await onDataThread(
        { kind: 'unpack', file, target: unpacking },
        context.signal,
        async (progress) => {
          context.report({ ...progress, message: null });
          await context.gate();
        },
      );
      context.signal.throwIfAborted();
      const { before } = scheduleSwitch(dataDir, {
        restored_at: new Date().toISOString(),
        as_of: about.made_at,
        from: file,
      });
      return { message: null, result: before };
    } catch (error) {
      throw explained(error, dataDir);
    }
  },
  discard: async (services) => {
    await rm(restorePaths(services.config.dataDir).unpacking, { recursive: true, force: true });
  },
  // Restoring includes a restart of the service, so it is retried on its screen.
  restarted: null,
};

function explained(error: unknown, dataDir: string): unknown {
  if (!(error instanceof DataTaskFailed)) return error;
  if (error.expected) return new JobFailed(error.message);
  return error.code === null
    ? error
    : new JobFailed(`The backup cannot be unpacked beside ${dataDir}: ${failureText(error)}.`);
}
