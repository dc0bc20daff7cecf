import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { Type } from 'typebox';
import { MeasurementId } from '../contract/common.ts';
import {
  ExportRequest,
  IgnoreList,
  IgnoreListState,
  Inspection,
  InspectRequest,
  Job,
  RegisterRequest,
  Staged,
  StageRequest,
} from '../contract/jobs.ts';
import type { App } from '../http/app.ts';
import { principalOf, type Authentication } from '../http/authentication.ts';
import { windowRoutes } from '../http/window-routes.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import { newExport } from './export/export.ts';
import { readIgnoreList, writeIgnoreList } from './file-worker/ignore-list.ts';
import { defaultIgnoreList } from '../../../src-shared/ignore-patterns.ts';
import { inspect } from './registration/inspect.ts';
import { prepareRegistration } from './registration/register.ts';
import { stage } from './export/stage.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { DataPaths } from '../common/data-paths.ts';
import type { DiskSpaceMonitor } from '../database/disk-space.ts';
import type { SettingsStore } from '../database/settings-store.ts';
import type { MeasurementStores } from './store/stores.ts';

// The request's own signal is aborted at the end of its body.
function onDisconnect(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => controller.abort(new Error('the window has stopped waiting')));
  return controller.signal;
}

const Params = Type.Object({ id: MeasurementId });

type Deps = Pick<MeasurementStores, 'measurements' | 'files' | 'registrations'> & {
  readonly config: ServiceConfig;
  readonly paths: DataPaths;
  readonly diskSpace: DiskSpaceMonitor;
  readonly settings: SettingsStore;
  readonly auth: Authentication;
  readonly jobRunner: JobRunner;
};

/**
 * Registers routes that read and write local paths: for the owner at the machine only, 404 for all
 * others.
 */
export function registerLocalRoutes(app: App, deps: Deps): void {
  const guarded = windowRoutes(deps.auth);

  app.post(
    '/api/v4/local/inspect',
    guarded({
      summary: 'Show the contents of a folder, file or ZIP',
      operationId: 'inspectPath',
      body: InspectRequest,
      response: { 200: Inspection },
    }),
    async (request, reply) => inspect(deps, request.body.path, onDisconnect(reply.raw)),
  );

  app.post(
    '/api/v4/local/registrations',
    guarded({
      summary: 'Register a folder, file or ZIP',
      operationId: 'register',
      body: RegisterRequest,
      response: { 202: Job },
    }),
    async (request, reply) => {
      const { leave_out: leaveOut, ...body } = request.body;
      const job = await prepareRegistration(deps, { ...body, leaveOut, ownerId: principalOf(request).userId });
      return reply.code(202).send(deps.jobRunner.shape(await deps.jobRunner.enqueue(job)));
    },
  );
  registerSampleRoute(app, deps);
  registerWritingOfFiles(app, deps);
  registerIgnoreList(app, deps);
}

function registerSampleRoute(app: App, deps: Deps): void {
  const guarded = windowRoutes(deps.auth);

  app.post(
    '/api/v4/local/sample',
    guarded({
      summary: 'Register the sample measurement',
      operationId: 'registerSample',
      response: { 202: Job },
    }),
    async (request, reply) => {
      // Copied, because an update replaces the program's own folder.
      const sample = {
        path: path.join(deps.config.assetsDir, 'sample-measurement'),
        id: 'sample',
        title: 'Sample measurement',
        copy: true,
      };
      const job = await prepareRegistration(deps, { ...sample, ownerId: principalOf(request).userId });
      return reply.code(202).send(deps.jobRunner.shape(await deps.jobRunner.enqueue(job)));
    },
  );
}

function registerWritingOfFiles(app: App, deps: Deps): void {
  const guarded = windowRoutes(deps.auth);

  app.post(
    '/api/v4/local/measurements/:id/exports',
    guarded({
      summary: 'Write a measurement to a folder',
      operationId: 'exportMeasurement',
      params: Params,
      body: ExportRequest,
      response: { 202: Job },
    }),
    async (request, reply) => {
      const { directory, format } = request.body;
      const job = await newExport(deps, request.params.id, principalOf(request).userId, directory, format);
      return reply.code(202).send(deps.jobRunner.shape(await deps.jobRunner.enqueue(job)));
    },
  );

  app.post(
    '/api/v4/local/measurements/:id/stage',
    guarded({
      summary: 'Prepare files for a drag',
      operationId: 'stageMeasurement',
      params: Params,
      body: StageRequest,
      response: { 200: Staged },
    }),
    async (request) => {
      const answer = await stage(deps, request.params.id, request.body.index ?? null, principalOf(request).userId);
      return answer.job === null
        ? answer
        : { path: null, job: deps.jobRunner.shape(await deps.jobRunner.enqueue(answer.job)) };
    },
  );
}

function registerIgnoreList(app: App, deps: Deps): void {
  const guarded = windowRoutes(deps.auth);

  app.get(
    '/api/v4/local/ignore-list',
    guarded({
      summary: 'Names left out at registration',
      operationId: 'getIgnoreList',
      response: { 200: IgnoreListState },
    }),
    async () => ({ patterns: [...(await readIgnoreList(deps.settings))], usual: [...defaultIgnoreList] }),
  );

  app.put(
    '/api/v4/local/ignore-list',
    guarded({
      summary: 'Replace the ignore list',
      operationId: 'setIgnoreList',
      body: IgnoreList,
      response: { 200: IgnoreListState },
    }),
    async (request) => ({
      patterns: [...(await writeIgnoreList(deps.settings, request.body.patterns))],
      usual: [...defaultIgnoreList],
    }),
  );
}
