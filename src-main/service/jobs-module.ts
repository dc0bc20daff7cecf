import { whileLeading } from './database/cluster/while-leading.ts';
import { restoring } from './copies/restoring/restore-work.ts';
import { registerBackupRoutes } from './backup/backup-routes.ts';
import { startBackupSchedule } from './backup/backup-schedule.ts';
import { backupWork } from './backup/backup-work.ts';
import { restoreWork } from './backup/restore-work.ts';
import type { App } from './http/app.ts';
import type { Authentication } from './http/authentication.ts';
import { registerJobRoutes } from './jobs/job-routes.ts';
import { jobRunner, type JobRunner } from './jobs/job-runner.ts';
import type { Works } from './jobs/job-work.ts';
import type { Services } from './services.ts';
import { exportWork } from './measurements/export/export.ts';
import { sweepLibrary } from './measurements/storage/library-sweep.ts';
import { registerLocalRoutes } from './measurements/local-routes.ts';
import { registerWork } from './measurements/registration/registration-run.ts';
import { repeatedly } from './common/repeatedly.ts';
import { removeAbandoned, removeLeftOfProcess } from './measurements/registration/remove.ts';
import { startResumingWhenSpaceFreed } from './measurements/registration/resume-when-space-freed.ts';
import { stageWork } from './measurements/export/stage.ts';
import { measurementAccess } from './measurements/access/access.ts';
import { expireUploads } from './measurements/uploads/expire-uploads.ts';
import { registerQuotas } from './measurements/uploads/quota-routes.ts';
import { registerUploads } from './measurements/uploads/uploads-routes.ts';
import { startChangedVerifications } from './measurements/verification/verify-changed.ts';
import { startVerifySchedule } from './measurements/verification/verify-schedule.ts';
import { verifyWork } from './measurements/verification/verify.ts';
import { registerVerifyRoutes } from './measurements/verification/verify-routes.ts';

const recoverEveryMs = 1000;
const removeEveryMs = 600_000;
const expireEveryMs = 3600_000;

/** The work of each kind of job. */
export const works: Works<Services> = {
  register: registerWork,
  verify: restoring(verifyWork),
  export: exportWork,
  stage: stageWork,
  backup: backupWork,
  restore: restoreWork,
};

/**
 * Registers the routes of registration, verification, export, staging and backups, and the job
 * queue, which resumes the jobs of the last run.
 */
export async function registerJobsModule(
  app: App,
  services: Services & { readonly auth: Authentication },
): Promise<JobRunner> {
  const runner = jobRunner(services, works);
  const deps = { ...services, jobRunner: runner };
  registerJobRoutes(app, deps);
  registerLocalRoutes(app, deps);
  registerVerifyRoutes(app, deps);
  registerQuotas(app, deps);
  await registerUploads(app, { ...deps, access: measurementAccess(deps) });
  const isReplica = services.cluster.replica() !== null;
  // Others back up a PostgreSQL.
  if (!isReplica) registerBackupRoutes(app, deps);
  startChangedVerifications(services, runner);
  await removeLeftOfProcess(services);
  if (!isReplica) await Promise.all([removeAbandoned(services), services.uploads.releaseAll()]);
  const endBackups = isReplica ? null : startBackupSchedule(services, runner);
  const endUpkeep = whileLeading(services.cluster, () => startUpkeepOfJobs(services, runner));
  app.addHook('onReady', async () => runner.recover());
  app.addHook('onClose', async () => {
    endBackups?.();
    const upkeepEnded = endUpkeep();
    await runner.stop();
    await upkeepEnded;
  });
  return runner;
}

/** Starts what one process does for all. @returns what ends it. */
function startUpkeepOfJobs(services: Services, runner: JobRunner): () => Promise<void> {
  const closing = new AbortController();
  const warn = (what: string) => (error: unknown) => services.log.warn({ err: error }, what);
  const sweeping = sweepLibrary(services, closing.signal).catch(warn('unused files of the library were not removed'));
  const ends = [
    startVerifySchedule(services, runner),
    startResumingWhenSpaceFreed(services, runner),
    repeatedly(expireEveryMs, async () => expireUploads(services), warn('old uploads were not removed')),
    ...(services.cluster.replica() === null
      ? []
      : [
          repeatedly(recoverEveryMs, async () => runner.recoverOfDeadReplicas(), warn('jobs of dead replicas wait')),
          repeatedly(
            removeEveryMs,
            async () => removeAbandoned(services),
            warn('what registrations left was not removed'),
          ),
        ]),
  ];
  return async () => {
    closing.abort();
    await Promise.all(ends.map(async (end) => end()));
    await sweeping;
  };
}
