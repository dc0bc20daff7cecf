import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type, type Static } from 'typebox';
import { Problem } from '../../contract/common.ts';
import { ProjectParams } from '../../contract/projects.ts';
import { SourceMapFile, SourceMapIds, SourceMapQuery, UploadedSourceMap } from '../../contract/source-maps.ts';
import type { App } from '../../http/app.ts';
import { HttpProblem } from '../../common/problem.ts';
import { validateBySchema } from '../../http/server/schema-validation.ts';
import { isoTime } from '../../common/iso-time.ts';
import { errorProject } from '../settings/error-project.ts';
import { eventIdOf } from '../normalise/event-id.ts';
import { maxMapBytes } from './source-map-limits.ts';
import type { SourceMapRow } from '../store/source-maps-store.ts';
import type { SourceMapReader } from './source-map-thread.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ErrorStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<ProjectStores, 'projects'> &
  Pick<ErrorStores, 'sourceMaps'> &
  Pick<ServiceContext, 'auth' | 'diskSpace'> & {
    readonly sourceMapReader: SourceMapReader;
  };

const address = '/api/v4/projects/:id/error_tracking/source_maps';
const maxListed = 1000;
/**
 * Limit of concurrent uploads in bytes: each body is held in memory until it is complete, however
 * slowly it is received.
 */
const maxUploadingBytes = 4 * maxMapBytes;

/**
 * Registers the routes for source maps of generated JavaScript, found by release and name or by
 * debug id.
 */
export function registerSourceMapRoutes(app: App, deps: Deps): void {
  void app.register(async (plain) => registerUpload(plain.withTypeProvider<TypeBoxTypeProvider>(), deps));
  app.addHook('onClose', async () => deps.sourceMapReader.close());

  app.get(
    address,
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['errors'],
        summary: 'The source maps of a project, the newest first, at most 1000',
        operationId: 'listSourceMaps',
        params: ProjectParams,
        response: { 200: Type.Array(UploadedSourceMap), 404: Problem },
      },
    },
    async (request) => {
      const project = await errorProject(deps, request, 'reporter');
      return (await deps.sourceMaps.list(project.id, maxListed)).map(uploadShape);
    },
  );

  app.delete(
    address,
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['errors'],
        summary: 'Delete source maps; needs the role developer',
        operationId: 'deleteSourceMaps',
        params: ProjectParams,
        body: SourceMapIds,
        response: { 204: Type.Null(), 404: Problem },
      },
    },
    async (request, reply) => {
      const project = await errorProject(deps, request, 'developer');
      await deps.sourceMaps.remove(project.id, request.body.ids.map(Number));
      return reply.code(204).send(null);
    },
  );
}

/** A plugin of its own, because a worker parses the body. */
function registerUpload(part: App, deps: Deps): void {
  part.removeAllContentTypeParsers();
  part.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  let takenBytes = 0;
  /**
   * Runs before the body is read, so that a user without the right to upload cannot make the
   * service hold sixty megabytes per connection.
   */
  async function admit(
    request: FastifyRequest<{ Params: Static<typeof ProjectParams> }>,
    reply: FastifyReply,
  ): Promise<void> {
    await errorProject(deps, request, 'developer');
    const bytes = Math.min(maxMapBytes, Number(request.headers['content-length'] ?? maxMapBytes));
    if (takenBytes + bytes > maxUploadingBytes)
      throw new HttpProblem(503, 'Other source maps are being taken. Try again in a moment.', {
        headers: { 'retry-after': '5' },
      });
    takenBytes += bytes;
    reply.raw.once('close', () => (takenBytes -= bytes));
  }
  part.post(
    address,
    {
      onRequest: [deps.auth.require('api'), admit],
      bodyLimit: maxMapBytes,
      config: { body: 'own-budget' },
      validatorCompiler: (route) => (route.httpPart === 'body' ? () => true : validateBySchema(route)),
      schema: {
        tags: ['errors'],
        summary:
          'Upload a source map of at most 64 MiB: the file is the body; needs the role developer. It replaces the one of the same name, release and debug id',
        operationId: 'uploadSourceMap',
        params: ProjectParams,
        querystring: SourceMapQuery,
        body: SourceMapFile,
        response: { 201: UploadedSourceMap, 404: Problem, 413: Problem, 503: Problem },
      },
    },
    async (request, reply) => {
      const project = await errorProject(deps, request, 'developer');
      await deps.diskSpace.require('No source map is taken');
      const { name, release = null, debug_id: named } = request.query;
      const namedId = debugIdOf(named);
      const body: unknown = request.body;
      if (!Buffer.isBuffer(body))
        throw new HttpProblem(400, 'The body of the request is to be the source map.', { type: 'invalid-request' });
      const packed = await deps.sourceMapReader.pack(body);
      const map = {
        ...packed,
        debugId: namedId ?? packed.debugId,
        projectId: project.id,
        name,
        release,
        uploadedAt: Date.now(),
      };
      return reply.code(201).send(uploadShape(await deps.sourceMaps.put(map)));
    },
  );
}

function debugIdOf(named: string | undefined): string | null {
  const id = eventIdOf(named);
  if (named !== undefined && id === null)
    throw new HttpProblem(400, 'The debug id is not 32 hexadecimal digits.', { type: 'invalid-request' });
  return id;
}

function uploadShape(row: SourceMapRow): UploadedSourceMap {
  return {
    id: String(row.id),
    name: row.name,
    release: row.release,
    debug_id: row.debug_id,
    size: row.size,
    uploaded_at: isoTime(row.uploaded_at),
  };
}
