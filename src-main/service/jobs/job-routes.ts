import { Type } from 'typebox';
import { Problem } from '../contract/common.ts';
import { Job, JobActionRequest, JobsQuery } from '../contract/jobs.ts';
import type { App } from '../http/app.ts';
import { principalOf, type Authentication } from '../http/authentication.ts';
import { HttpProblem } from '../common/problem.ts';
import type { Principal } from '../http/principal.ts';
import type { JobRunner } from './job-runner.ts';
import { jobShownTo } from './job-shape.ts';
import type { JobRow } from './jobs-store.ts';
import type { JobStores } from './stores.ts';

const JobParams = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });

type Deps = JobStores & { readonly auth: Authentication; readonly jobRunner: JobRunner };

/** Routes to list and control jobs; open to the user who started a job and to administrators. */
export function registerJobRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/v4/jobs',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['jobs'],
        summary: 'Jobs, newest first',
        operationId: 'listJobs',
        querystring: JobsQuery,
        response: { 200: Type.Array(Job) },
      },
    },
    async (request) => {
      const principal = principalOf(request);
      return (await deps.jobs.list(request.query.state ?? 'all', principal.isAdmin ? null : principal.userId)).map(
        (row) => jobShownTo(principal, deps.jobRunner.shape(row)),
      );
    },
  );

  app.get(
    '/api/v4/jobs/:id',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['jobs'],
        summary: 'One job',
        operationId: 'getJob',
        params: JobParams,
        response: { 200: Job, 404: Problem },
      },
    },
    async (request) =>
      jobShownTo(
        principalOf(request),
        deps.jobRunner.shape(await jobOf(deps, request.params.id, principalOf(request))),
      ),
  );
  registerSteering(app, deps);
}

function registerSteering(app: App, deps: Deps): void {
  app.post(
    '/api/v4/jobs/:id',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['jobs'],
        summary: 'Pause, resume or cancel a job, or try again what has failed',
        operationId: 'steerJob',
        params: JobParams,
        body: JobActionRequest,
        response: { 200: Job, 404: Problem, 409: Problem },
      },
    },
    async (request) => {
      const principal = principalOf(request);
      const job = await jobOf(deps, request.params.id, principal);
      const { action } = request.body;
      if (action !== 'retry') return jobShownTo(principal, deps.jobRunner.shape(await deps.jobRunner.act(job, action)));
      // All other kinds name local paths and may only be started in the window.
      if (job.kind !== 'verify' && !deps.auth.isWindow(request))
        throw new HttpProblem(403, 'This can be tried again only in the Benchport window on the machine it runs on.');
      return jobShownTo(principal, deps.jobRunner.shape(await deps.jobRunner.retry(job)));
    },
  );
}

async function jobOf(deps: Deps, id: number, principal: Principal): Promise<JobRow> {
  const job = await deps.jobs.byId(id);
  if (!job || !(principal.isAdmin || job.user_id === principal.userId))
    throw new HttpProblem(404, 'There is no such job.');
  return job;
}
