import {
  BackupPreview,
  BackupRequest,
  BackupScheduleRequest,
  BackupState,
  MoveRequest,
  RestoreRequest,
} from '../contract/backups.ts';
import { Problem } from '../contract/common.ts';
import { HttpProblem } from '../common/problem.ts';
import { Job } from '../contract/jobs.ts';
import { actorOf } from '../http/actor-of.ts';
import type { App } from '../http/app.ts';
import { principalOf } from '../http/authentication.ts';
import { windowRoutes } from '../http/window-routes.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import { targetFolder } from '../measurements/export/export.ts';
import { StartError } from '../common/start-error.ts';
import { writeBackupSchedule } from './backup-notes.ts';
import { backUpIfDue } from './backup-schedule.ts';
import { backupState } from './backup-state.ts';
import { newBackup } from './backup-work.ts';
import { requestMove } from './data-location.ts';
import { refuseMove } from './move-data.ts';
import { backupContents, newRestoration } from './restore-work.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { JobStores } from '../jobs/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = Pick<AuditStores, 'audit'> &
  JobStores &
  Pick<ServiceContext, 'auth' | 'events' | 'log' | 'settings'> & {
    readonly config: ServiceConfig;
    readonly jobRunner: JobRunner;
  };

const tags = ['backups'];

/**
 * Routes of the backup screens. A backup contains all secrets, so only the window may create one
 * and choose its location; administrators elsewhere only see whether one exists.
 */
export function registerBackupRoutes(app: App, deps: Deps): void {
  const { auth, jobRunner, settings } = deps;
  const guarded = windowRoutes(deps.auth);

  app.get(
    '/api/v4/backups',
    {
      onRequest: auth.requireAdmin('read_api'),
      schema: { tags, summary: 'When data were backed up', operationId: 'getBackups', response: { 200: BackupState } },
    },
    async (request) => backupState(deps, auth.isWindow(request)),
  );
  app.post(
    '/api/v4/local/backups',
    guarded({
      tags,
      summary: 'Write a backup into a new file',
      operationId: 'backUp',
      body: BackupRequest,
      response: { 202: Job, 409: Problem, 422: Problem },
    }),
    async (request, reply) => {
      const job = await newBackup(deps, request.body.file, principalOf(request).userId, null);
      return reply.code(202).send(jobRunner.shape(await jobRunner.enqueue(job)));
    },
  );
  app.put(
    '/api/v4/local/backups/schedule',
    guarded({
      tags,
      summary: 'Have backups made by themselves, or not',
      operationId: 'scheduleBackups',
      body: BackupScheduleRequest,
      response: { 200: BackupState, 422: Problem },
    }),
    async (request) => {
      const { schedule } = request.body;
      await writeBackupSchedule(
        settings,
        schedule && { ...schedule, folder: await targetFolder(deps, schedule.folder) },
      );
      await deps.audit.record({
        ...actorOf(request),
        action: 'data.backup-schedule',
        subject: 'data',
        detail: schedule ? `every ${schedule.every} into ${schedule.folder}, ${schedule.keep} kept` : 'none',
      });
      await backUpIfDue(deps, jobRunner, Date.now());
      deps.events.emit('changed', { topic: 'backups' });
      return backupState(deps, true);
    },
  );
  registerReplacements(app, deps);
}

/** Routes that replace the data or their folder: restoring a backup, and moving. */
function registerReplacements(app: App, deps: Deps): void {
  const { jobRunner } = deps;
  const guarded = windowRoutes(deps.auth);

  app.post(
    '/api/v4/local/backups/inspect',
    guarded({
      tags,
      summary: 'Show the contents of a backup',
      operationId: 'inspectBackup',
      body: RestoreRequest,
      response: { 200: BackupPreview, 422: Problem },
    }),
    async (request) => {
      const { about, bytes, objects } = await backupContents(request.body.file);
      const { made_at, program_version, measurements, users = null } = about;
      return { file: request.body.file, made_at, program_version, bytes, measurements, library_files: objects, users };
    },
  );

  app.post(
    '/api/v4/local/backups/restore',
    guarded({
      tags,
      summary: 'Have a backup take the place of the data',
      description:
        'It is unpacked and checked beside the data directory first. Then the service restarts with it; the previous data is kept under another name.',
      operationId: 'restoreBackup',
      body: RestoreRequest,
      response: { 202: Job, 409: Problem, 422: Problem, 507: Problem },
    }),
    async (request, reply) => {
      const row = await jobRunner.enqueue(await newRestoration(deps, request.body.file, principalOf(request).userId));
      void jobRunner.ended(row.id).then(
        ({ state: ended }) => (ended === 'done' ? deps.config.restart?.() : undefined),
        (error: unknown) => deps.log.warn({ err: error }, 'the service does not start again by itself'),
      );
      return reply.code(202).send(jobRunner.shape(row));
    },
  );
  registerDataMove(app, deps);
}

function registerDataMove(app: App, deps: Deps): void {
  const guarded = windowRoutes(deps.auth);

  app.post(
    '/api/v4/local/data/move',
    guarded({
      tags,
      summary: 'Move the data directory to an empty folder',
      description:
        'The service restarts and moves the data first; until then, and if that fails, it is used where it is. The old directory is kept.',
      operationId: 'moveData',
      body: MoveRequest,
      response: { 202: BackupState, 422: Problem },
    }),
    async (request, reply) => {
      const { dataDir, restart } = deps.config;
      const { to } = request.body;
      await refuseMove(dataDir, to).catch((error: unknown) => {
        throw error instanceof StartError
          ? new HttpProblem(422, error.message, { type: 'bad-path', cause: error })
          : error;
      });
      await deps.audit.record({
        ...actorOf(request),
        action: 'data.move',
        subject: 'data',
        detail: `${dataDir} to ${to}`,
      });
      requestMove(dataDir, to);
      // After the response was sent.
      setImmediate(() => restart?.());
      return reply.code(202).send(await backupState(deps, true));
    },
  );
}
