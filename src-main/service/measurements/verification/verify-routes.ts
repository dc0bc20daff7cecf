import { Type } from 'typebox';
import { Problem } from '../../contract/common.ts';
import { Job, VerifyRequest } from '../../contract/jobs.ts';
import type { App } from '../../http/app.ts';
import { principalOf, type Authentication } from '../../http/authentication.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import { newVerification, newVerifications } from './verify.ts';
import { verifyParametersOf } from './verify-one.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { JobStores } from '../../jobs/stores.ts';

type Deps = Pick<MeasurementStores, 'measurements'> &
  JobStores & { readonly auth: Authentication; readonly jobRunner: JobRunner };

/** Registers verification on demand, for owners and administrators. */
export function registerVerifyRoutes(app: App, deps: Deps): void {
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
      if (!measurement || measurement.state === 'registering')
        throw new HttpProblem(404, 'There is no such measurement.');
      if (!principal.isAdmin && measurement.owner_id !== principal.userId)
        throw new HttpProblem(403, 'Only the owner of a measurement may have it checked.');
      const running = (await deps.jobs.ofMeasurement(measurement.id)).find(
        (job) =>
          job.kind === 'verify' &&
          job.ended_at === null &&
          job.state !== 'paused' &&
          !verifyParametersOf(job).changedOnly,
      );
      const job = running ?? (await deps.jobRunner.enqueue(newVerification(measurement.id, principal.userId)));
      return reply.code(202).send(deps.jobRunner.shape(job));
    },
  );
  registerVerificationOfMany(app, deps);
}

function registerVerificationOfMany(app: App, deps: Deps): void {
  app.post(
    '/api/v4/measurements/verify',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['measurements'],
        summary: 'Compare the files of several measurements with the registration, as one job',
        operationId: 'verifyMeasurements',
        body: VerifyRequest,
        response: { 202: Job, 403: Problem, 404: Problem },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const ids = [...new Set(request.body.ids)];
      for (const id of ids) {
        const measurement = await deps.measurements.byId(id);
        if (!measurement || measurement.state === 'registering')
          throw new HttpProblem(404, `There is no measurement ${id}.`);
        if (!principal.isAdmin && measurement.owner_id !== principal.userId)
          throw new HttpProblem(403, `Only the owner of a measurement may have it checked; ${id} is not yours.`);
      }
      const [only = ''] = ids;
      const job = await deps.jobRunner.enqueue(
        ids.length === 1 ? newVerification(only, principal.userId) : newVerifications(ids, principal.userId),
      );
      return reply.code(202).send(deps.jobRunner.shape(job));
    },
  );
}
