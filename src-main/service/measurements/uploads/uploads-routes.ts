import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { Type } from 'typebox';
import { Problem } from '../../contract/common.ts';
import { Upload } from '../../contract/measurements.ts';
import { repeatedly } from '../../common/repeatedly.ts';
import { HttpProblem } from '../../common/problem.ts';
import { whileLeading } from '../../database/cluster/while-leading.ts';
import type { App } from '../../http/app.ts';
import { principalOf, type Authentication } from '../../http/authentication.ts';
import type { UploadRow } from '../store/uploads-store.ts';
import { maxUnfinished, uploadsPath as base } from './create-upload.ts';
import { registerCreation } from './creation-route.ts';
import { registerArchiveRoute } from './archive-route.ts';
import { ReceivedUploads, type ReceivedUploadsDeps } from './received-uploads.ts';
import { expiryOf } from './upload-shape.ts';
import { bytesHeader, chunkType, readChecksum, requireTus, tusHeaders } from './tus-headers.ts';

type Deps = ReceivedUploadsDeps & { readonly auth: Authentication };

const Params = Type.Object({ upload: Type.String({ pattern: '^[0-9a-f]{32}$' }) });
const tags = ['uploads'];
const lingerMs = 5000;
const finishEveryMs = 60_000;
const sweepEveryMs = 600_000;

/**
 * Registers the routes with which measurements are uploaded: with a manifest, as tus 1.0 (creation,
 * checksum, expiration, termination), and an archive in one go.
 */
export async function registerUploads(app: App, deps: Deps): Promise<void> {
  const uploads = new ReceivedUploads(deps);
  let finishing = async (): Promise<void> => undefined;
  let sweeping = async (): Promise<void> => undefined;
  app.addHook('onReady', async () => {
    const warn = (error: unknown): void => deps.log.warn({ err: error }, 'uploads that are whole are not registered');
    finishing = whileLeading(deps.cluster, () => repeatedly(finishEveryMs, async () => uploads.finishLeft(), warn));
    sweeping = repeatedly(
      sweepEveryMs,
      async () => uploads.sweep(),
      (error) => deps.log.warn({ err: error }, 'folders of uploads that ended are not removed'),
    );
  });
  app.addHook('onClose', async () => {
    uploads.stop();
    await Promise.all([finishing(), sweeping()]);
    await uploads.close();
  });
  await app.register(async (plain) => {
    const part = plain.withTypeProvider<TypeBoxTypeProvider>();
    part.removeAllContentTypeParsers();
    // Bodies are read as they come, by the routes.
    part.addContentTypeParser('*', (_request, _payload, done) => done(null));
    part.addHook('onError', (request, _reply, _error, done) => {
      discardRest(request.raw);
      done();
    });
    registerCreation(part, deps, uploads);
    registerContinuation(part, deps, uploads);
    registerStates(part, deps, uploads);
    registerArchiveRoute(part, deps, uploads);
  });
}

/**
 * Reads on for a while after a refusal: to close while the client still sends would make its system
 * discard the answer (RFC 9112 section 9.6), and nginx take this replica for broken.
 */
function discardRest(request: IncomingMessage): void {
  if (request.complete) return;
  request.on('error', () => undefined).resume();
  const late = setTimeout(() => request.destroy(), lingerMs).unref();
  request.once('close', () => clearTimeout(late));
}

function registerContinuation(part: App, deps: Deps, uploads: ReceivedUploads): void {
  const guarded = { onRequest: deps.auth.require('write_measurement') } as const;
  part.patch(
    `${base}/:upload`,
    {
      ...guarded,
      config: { body: 'own-reader', unconfirmed: true, slowBody: true },
      schema: {
        tags,
        summary: 'Send bytes of an upload (tus 1.0)',
        description: 'From Upload-Offset on, which HEAD tells. A later request ends one that hangs.',
        operationId: 'appendToUpload',
        params: Params,
        response: {
          204: Type.Null(),
          404: Problem,
          409: Problem,
          412: Problem,
          413: Problem,
          415: Problem,
          423: Problem,
          503: Problem,
        },
      },
    },
    async (request, reply) => {
      requireTus(request.headers);
      if (request.headers['content-type'] !== chunkType) throw new HttpProblem(415, `Send the bytes as ${chunkType}.`);
      const from = bytesHeader(request.headers, 'Upload-Offset');
      const upload = await ownUpload(deps, request);
      const offset = await uploads.append(upload, request.raw, from, readChecksum(request.headers));
      return reply
        .code(204)
        .headers({ ...tusHeaders, 'upload-offset': String(offset), 'upload-expires': expiryOf(upload) })
        .send(null);
    },
  );
  part.delete(
    `${base}/:upload`,
    {
      ...guarded,
      schema: {
        tags,
        summary: 'Give up an upload',
        operationId: 'removeUpload',
        params: Params,
        response: { 204: Type.Null(), 404: Problem, 409: Problem },
      },
    },
    async (request, reply) => {
      await uploads.remove(await ownUpload(deps, request));
      return reply.code(204).headers(tusHeaders).send(null);
    },
  );
}

function registerStates(part: App, deps: Deps, uploads: ReceivedUploads): void {
  const guarded = { onRequest: deps.auth.require('write_measurement') } as const;
  part.get(
    base,
    {
      ...guarded,
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: 'The uploads that are not finished',
        description: 'Those of the user, the first one first.',
        operationId: 'listUploads',
        response: { 200: Type.Array(Upload) },
      },
    },
    async (request) => {
      const shapes: Upload[] = [];
      for (const upload of await deps.uploads.unfinishedOf(principalOf(request).userId, maxUnfinished))
        shapes.push(await uploads.shape(upload));
      return shapes;
    },
  );
  part.head(
    `${base}/:upload`,
    {
      ...guarded,
      schema: { tags, summary: 'Where an upload goes on (tus 1.0)', operationId: 'findUploadOffset', params: Params },
    },
    async (request, reply) => {
      requireTus(request.headers);
      const upload = await uploads.finishIfWhole(await ownUpload(deps, request));
      if (upload.problem !== null) throw new HttpProblem(410, upload.problem);
      const offset = await uploads.received(upload);
      return reply
        .headers({ ...tusHeaders, 'cache-control': 'no-store', 'upload-offset': String(offset) })
        .headers(upload.length === null ? { 'upload-defer-length': '1' } : { 'upload-length': String(upload.length) })
        .header('upload-expires', expiryOf(upload))
        .send();
    },
  );
  part.get(
    `${base}/:upload`,
    {
      ...guarded,
      exposeHeadRoute: false,
      schema: {
        tags,
        summary: 'The state of an upload',
        operationId: 'getUpload',
        params: Params,
        response: { 200: Upload, 404: Problem },
      },
    },
    async (request) => {
      const upload = await ownUpload(deps, request);
      return uploads.shape(await uploads.finishIfWhole(upload));
    },
  );
}

/** @throws HttpProblem 404, also for an upload of somebody else. */
async function ownUpload(
  deps: Pick<Deps, 'uploads'>,
  request: FastifyRequest<{ Params: { readonly upload: string } }>,
): Promise<UploadRow> {
  const upload = await deps.uploads.byId(request.params.upload);
  if (upload?.owner_id === principalOf(request).userId) return upload;
  throw new HttpProblem(404, 'There is no such upload. It was given up, or nothing came for a week.');
}
