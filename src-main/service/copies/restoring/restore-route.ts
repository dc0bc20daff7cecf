import { Type } from 'typebox';
import { HttpProblem } from '../../common/problem.ts';
import { MeasurementId, Problem } from '../../contract/common.ts';
import { Job } from '../../contract/jobs.ts';
import type { App } from '../../http/app.ts';
import { principalOf, type Authentication } from '../../http/authentication.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { MeasurementStores } from '../../measurements/store/stores.ts';
import type { CopyStores } from '../store/stores.ts';
import { copyToRestoreFrom } from './restore-files.ts';
import { newRestoration } from './restore-work.ts';

type Deps = Pick<CopyStores, 'copyList'> &
  Pick<MeasurementStores, 'measurements'> & { readonly auth: Authentication; readonly jobRunner: JobRunner };

/** Registers the route with which files are restored from a copy, also those in an instrument's folder. */
export function registerRestoring(app: App, deps: Deps): void {
  app.post(
    '/api/v4/local/measurements/:id/restore',
    {
      onRequest: deps.auth.requireWindow,
      config: { windowOnly: true },
      schema: {
        tags: ['local'],
        summary: 'Replace the files that are not as registered by those of a verified copy',
        description: 'A file in the folder of an instrument is renamed, not removed, before it is replaced.',
        operationId: 'restoreMeasurement',
        params: Type.Object({ id: MeasurementId }),
        response: { 202: Job, 404: Problem, 409: Problem },
      },
    },
    async (request, reply) => {
      const measurement = await deps.measurements.byId(request.params.id);
      if (!measurement) throw new HttpProblem(404, 'There is no such measurement.');
      if (measurement.state !== 'degraded') throw new HttpProblem(409, 'All of its files are as they were registered.');
      if (measurement.object_key !== null)
        throw new HttpProblem(409, 'Its files lie in an object storage, which has copies of its own.');
      const copy = await copyToRestoreFrom(deps, measurement.id);
      if (copy === null) throw new HttpProblem(409, 'There is no verified copy of it.');
      const job = await deps.jobRunner.enqueue(newRestoration(copy, principalOf(request).userId));
      return reply.code(202).send(deps.jobRunner.shape(job));
    },
  );
}
