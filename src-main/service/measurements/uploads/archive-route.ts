import { setTimeout } from 'node:timers/promises';
import { Type } from 'typebox';
import { activeJobStates } from '../../../../src-shared/states/job-states.ts';
import { MeasurementId, Problem } from '../../contract/common.ts';
import { Upload } from '../../contract/measurements.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { App } from '../../http/app.ts';
import { principalOf, type Authentication } from '../../http/authentication.ts';
import { addressOf, createUpload } from './create-upload.ts';
import { basePathOf } from '../registration/registration-freeze.ts';
import type { ReceivedUploads, ReceivedUploadsDeps } from './received-uploads.ts';

/** Proxies give up an answer that takes longer. */
const answerWithinMs = 20_000;
const pauseMs = 150;

/** Registers the route that takes an archive in one go, as `curl -T` sends it. */
export function registerArchiveRoute(
  part: App,
  deps: ReceivedUploadsDeps & { readonly auth: Authentication },
  uploads: ReceivedUploads,
): void {
  part.put(
    '/api/v4/measurements/:id/archive',
    {
      onRequest: deps.auth.require('write_measurement'),
      config: { body: 'own-reader', unconfirmed: true, slowBody: true },
      schema: {
        tags: ['uploads'],
        summary: 'Upload a measurement as one ZIP',
        description:
          'Answered with 201 when it is available, and with 202 when its registration takes longer than 20 seconds: then Location is the address of the upload. Nothing is left when the connection ends early.',
        operationId: 'uploadArchive',
        params: Type.Object({ id: MeasurementId }),
        querystring: Type.Object({
          title: Type.Optional(Type.String({ maxLength: 200 })),
          project: Type.Optional(Type.String({ maxLength: 255 })),
        }),
        response: { 201: Upload, 202: Upload, 403: Problem, 404: Problem, 409: Problem, 413: Problem, 422: Problem },
      },
    },
    async (request, reply) => {
      const announced = request.headers['content-length'];
      const created = await createUpload(deps, principalOf(request), {
        measurementId: request.params.id,
        title: request.query.title,
        project: request.query.project,
        fileName: 'archive.zip',
        length: announced === undefined ? null : Number(announced),
        id: null,
        manifest: null,
      });
      await uploads.takeWhole(created, request.raw);
      const upload = (await deps.uploads.byId(created.id)) ?? created;
      if (upload.job_id !== null) await jobSettled(deps, upload.job_id);
      const shape = await uploads.shape(upload);
      if (shape.state === 'failed')
        throw new HttpProblem(422, shape.problem ?? 'It cannot be registered.', { type: 'not-registered' });
      const isDone = shape.state === 'available';
      return reply
        .code(isDone ? 201 : 202)
        .header(
          'location',
          isDone ? `${basePathOf(deps)}/measurements/${upload.measurement_id}` : addressOf(deps, upload.id),
        )
        .send(shape);
    },
  );
}

/** Waits for a job, which may be queued or run at another replica, or until an answer is due. */
async function jobSettled(
  { jobs, jobRunner }: Pick<ReceivedUploadsDeps, 'jobs' | 'jobRunner'>,
  id: number,
): Promise<void> {
  const until = performance.now() + answerWithinMs;
  await Promise.race([jobRunner.ended(id), setTimeout(answerWithinMs, undefined, { ref: false })]);
  while (performance.now() < until) {
    const job = await jobs.byId(id);
    if (job === null || !activeJobStates.includes(job.state)) return;
    await setTimeout(pauseMs);
  }
}
