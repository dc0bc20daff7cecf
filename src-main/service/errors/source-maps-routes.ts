import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { Type } from 'typebox';
import { Problem } from '../contract/common.ts';
import { ProjectParams } from '../contract/projects.ts';
import { SourceMapFile, SourceMapIds, SourceMapQuery, UploadedSourceMap } from '../contract/source-maps.ts';
import type { App } from '../http/app.ts';
import type { Authentication } from '../http/authentication.ts';
import { HttpProblem } from '../http/problem.ts';
import type { Services } from '../services.ts';
import { errorProject } from './error-project.ts';
import { isoTime } from './error-shapes.ts';
import { eventIdOf } from './event-id.ts';
import type { SourceMapRow } from './source-maps-store.ts';

type Deps = Services & { readonly auth: Authentication };

const address = '/api/v4/projects/:id/error_tracking/source_maps';
// It is read while everything else waits, each time an event with such frames is shown.
const mostBytes = 16 * 1024 * 1024;
const mostListed = 1000;
const deflate = promisify(zlib.deflate);
const errors = { 400: Problem, 401: Problem, 403: Problem, 404: Problem };

/** Source maps of generated JavaScript, by release and name or by debug id. */
export function registerSourceMapRoutes(app: App, deps: Deps): void {
  app.post(
    address,
    {
      onRequest: deps.auth.require('api'),
      bodyLimit: mostBytes,
      schema: {
        tags: ['errors'],
        summary: 'Upload a source map of at most 16 MiB: the file is the body; needs the role developer. It replaces the one of the same name and release',
        operationId: 'uploadSourceMap',
        params: ProjectParams,
        querystring: SourceMapQuery,
        body: SourceMapFile,
        response: { 201: UploadedSourceMap, ...errors, 413: Problem },
      },
    },
    async (request, reply) => {
      const project = await errorProject(deps, request, 'developer');
      const { name, release = null, debug_id: named } = request.query;
      const sent = named ?? request.body.debug_id ?? request.body.debugId;
      const debugId = eventIdOf(sent);
      if (sent !== undefined && debugId === null) throw new HttpProblem(400, 'The debug id is not 32 hexadecimal digits.', { type: 'invalid-request' });
      const text = Buffer.from(JSON.stringify(request.body));
      const map = { projectId: project.id, name, release, debugId, uploadedAt: Date.now(), size: text.length, content: await deflate(text) };
      return reply.code(201).send(uploadShape(await deps.sourceMaps.put(map)));
    },
  );

  app.get(
    address,
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['errors'],
        summary: 'The source maps of a project, the newest first, at most 1000',
        operationId: 'listSourceMaps',
        params: ProjectParams,
        response: { 200: Type.Array(UploadedSourceMap), ...errors },
      },
    },
    async (request) => {
      const project = await errorProject(deps, request, 'reporter');
      return (await deps.sourceMaps.list(project.id, mostListed)).map(uploadShape);
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
        response: { 204: Type.Null(), ...errors },
      },
    },
    async (request, reply) => {
      const project = await errorProject(deps, request, 'developer');
      await deps.sourceMaps.remove(project.id, request.body.ids.map(Number));
      return reply.code(204).send(null);
    },
  );
}

function uploadShape(row: SourceMapRow): UploadedSourceMap {
  return { id: String(row.id), name: row.name, release: row.release, debug_id: row.debug_id, size: row.size, uploaded_at: isoTime(row.uploaded_at) };
}
