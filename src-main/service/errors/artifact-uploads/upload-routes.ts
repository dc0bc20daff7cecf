import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { Problem } from '../../contract/common.ts';
import type { App } from '../../http/app.ts';
import { principalOf } from '../../http/authentication.ts';
import { HttpProblem } from '../../common/problem.ts';
import { Assemblies } from './assemblies.ts';
import { assemblyStates } from './assembly-states.ts';
import { readChunks, type Chunk } from './read-chunks.ts';
import { developedProjects } from './sentry-projects.ts';
import {
  chunkBytes,
  maxBundleBytes,
  maxChunksPerRequest,
  maxRequestBytes,
  maxConcurrentRequests,
  maxUserBytes,
  maxWaitingBytes,
} from './upload-limits.ts';
import type { SourceMapReader } from '../source-maps/source-map-thread.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ShortLivedStores } from '../../short-lived/stores.ts';
import type { ErrorStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<ProjectStores, 'projects'> &
  Pick<ErrorStores, 'sourceMaps' | 'uploadChunks'> &
  Pick<ShortLivedStores, 'shortLived'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'diskSpace' | 'log'> & {
    readonly sourceMapReader: SourceMapReader;
  };

const address = '/api/0/organizations/:organization/chunk-upload';
const Digest = Type.String({ pattern: '^[0-9a-f]{40}$', description: 'SHA-1, hexadecimal' });
const AssembleBody = Type.Object({
  checksum: Digest,
  chunks: Type.Array(Digest, { minItems: 1, maxItems: maxBundleBytes / chunkBytes }),
  projects: Type.Array(Type.Union([Type.String({ maxLength: 255 }), Type.Integer()]), { minItems: 1, maxItems: 50 }),
  version: Type.Optional(Type.Union([Type.String({ maxLength: 255 }), Type.Null()])),
});

/**
 * Registers the routes with which build tools (sentry-cli, plugins of bundlers) upload source maps:
 * in chunks, which are then assembled to a bundle.
 */
export function registerArtifactUploads(app: App, deps: Deps): void {
  void app.register(async (plain) => registerChunks(plain.withTypeProvider<TypeBoxTypeProvider>(), deps));

  app.get(
    address,
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['errors'],
        summary: 'How artifacts are uploaded in chunks, in the shape of Sentry',
        operationId: 'describeChunkUploadAsSentry',
        params: Type.Object({ organization: Type.String() }),
        response: { 200: Type.Unknown(), 404: Problem },
      },
    },
    async (request) => {
      const { organization } = request.params;
      await developedProjects(deps, request, organization);
      return {
        url: `${deps.baseUrl()}/api/0/organizations/${encodeURIComponent(organization)}/chunk-upload/`,
        chunkSize: chunkBytes,
        chunksPerRequest: maxChunksPerRequest,
        maxFileSize: maxBundleBytes,
        maxRequestSize: maxRequestBytes,
        concurrency: 2,
        hashAlgorithm: 'sha1',
        compression: ['gzip'],
        accept: ['release_files', 'sources', 'artifact_bundles', 'artifact_bundles_v2'],
      };
    },
  );
  registerAssembly(app, deps);
}

function registerAssembly(app: App, deps: Deps): void {
  const states = assemblyStates(deps.shortLived, (error) =>
    deps.log.warn({ err: error }, 'other replicas are not told that a bundle is still being assembled'),
  );
  const assemblies = new Assemblies({ ...deps, states });

  app.post(
    '/api/0/organizations/:organization/artifactbundle/assemble',
    {
      onRequest: deps.auth.require('api'),
      schema: {
        tags: ['errors'],
        summary:
          'Assemble a bundle of source maps of uploaded chunks, in the shape of Sentry; needs the role developer. To be asked until it is done',
        operationId: 'assembleArtifactsAsSentry',
        params: Type.Object({ organization: Type.String() }),
        body: AssembleBody,
        response: { 200: Type.Unknown(), 404: Problem, 503: Problem },
      },
    },
    async (request) => {
      const { checksum, chunks, projects: named, version } = request.body;
      const projects = await developedProjects(deps, request, request.params.organization, named);
      await deps.diskSpace.require('No source maps are taken');
      const projectIds = projects.map(({ id }) => id);
      return assemblies.submit({
        userId: principalOf(request).userId,
        checksum,
        chunks,
        projectIds,
        release: version ? version : null,
      });
    },
  );
}

/** A plugin of its own, because its bodies are read as streams. */
function registerChunks(part: App, deps: Deps): void {
  part.removeAllContentTypeParsers();
  // Reads at once, because the stream flows from here on.
  part.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, body: Readable) => {
    const { userId } = principalOf(request);
    await readChunks(request.headers, body, async (chunk) => store(userId, chunk));
  });
  let running = 0;
  async function admit(
    request: FastifyRequest<{ Params: { readonly organization: string } }>,
    reply: FastifyReply,
  ): Promise<void> {
    await developedProjects(deps, request, request.params.organization);
    await deps.diskSpace.require('No chunk is taken');
    if (Number(request.headers['content-length'] ?? 0) > maxRequestBytes)
      throw new HttpProblem(413, `A request has at most ${maxRequestBytes} bytes.`);
    if (running >= maxConcurrentRequests)
      throw new HttpProblem(503, 'Other chunks are being taken. Try again in a moment.', {
        headers: { 'retry-after': '2' },
      });
    running += 1;
    reply.raw.once('close', () => (running -= 1));
  }
  part.post(
    address,
    {
      onRequest: [deps.auth.require('api'), admit],
      // `admit` and the size limit of a request bound the memory.
      config: { body: 'own-budget' },
      schema: {
        tags: ['errors'],
        summary:
          'Upload chunks as multipart/form-data, each named by its SHA-1, in the shape of Sentry; needs the role developer. They are kept for a day',
        operationId: 'uploadChunksAsSentry',
        params: Type.Object({ organization: Type.String() }),
        response: { 200: Type.Unknown(), 404: Problem, 413: Problem, 503: Problem, 507: Problem },
      },
    },
    async () => ({}),
  );

  async function store(userId: number, { digest, content }: Chunk): Promise<void> {
    const { own, all } = await deps.uploadChunks.waiting(userId);
    if (own + content.length > maxUserBytes || all + content.length > maxWaitingBytes) {
      throw new HttpProblem(
        413,
        'Too much is waiting to be assembled. What is never assembled is removed a day after it came.',
      );
    }
    await deps.uploadChunks.put(userId, digest, content, Date.now());
  }
}
