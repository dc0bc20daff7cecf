import { Type } from 'typebox';
import { Problem } from '../contract/common.ts';
import { Job } from '../contract/jobs.ts';
import type { App } from '../http/app.ts';
import { principalOf, type Authentication } from '../http/authentication.ts';
import { HttpProblem } from '../http/problem.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { Services } from '../services.ts';
import { newVerification } from './verify.ts';

/** Checking a measurement on demand: for its owner and for administrators. */
export function registerVerifyRoutes(app: App, deps: Services & { readonly auth: Authentication; readonly jobRunner: JobRunner }): void {
  app.post(
    '/api/v4/measurements/:id/verify',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['measurements'],
        summary: 'Compare the files with the registration',
        operationId: 'verifyMeasurement',
        params: Type.Object({ id: Type.String() }),
        response: { 202: Job, 404: Problem },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const measurement = await deps.measurements.byId(request.params.id);
      if (!measurement || measurement.state === 'registering') throw new HttpProblem(404, 'There is no such measurement.');
      if (!principal.isAdmin && measurement.owner_id !== principal.userId) throw new HttpProblem(403, 'Only the owner of a measurement may have it checked.');
      const running = (await deps.jobs.ofMeasurement(measurement.id)).find((job) => job.kind === 'verify' && job.ended_at === null && job.state !== 'paused');
      const job = running ?? (await deps.jobRunner.enqueue(newVerification(measurement.id, principal.userId)));
      return reply.code(202).send(deps.jobRunner.shape(job));
    },
  );
}
