import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { Type } from 'typebox';
import { addRawHandler } from '../../http/server/raw-handler.ts';
import { SelectionQuery } from '../../contract/measurements.ts';
import { validateBySchema } from '../../http/server/schema-validation.ts';
import type { App } from '../../http/app.ts';
import type { Authentication } from '../../http/authentication.ts';
import { prefersHtml } from '../../http/semantics/prefers-html.ts';
import { createServing, type DownloadDeps } from './create-serving.ts';
import { fastPathRange } from './fast-path-range.ts';
import { Manifests } from './manifests.ts';
import { serveArchive } from './serve-archive.ts';
import { serveFile } from './serve-file.ts';
import { serveListing } from './serve-listing.ts';
import { requireOneList, serveSelection } from './serve-selection.ts';
import { servePieces } from './serve-pieces.ts';
import { serveManifest } from './serve-manifest.ts';
import type { Serving } from './serving.ts';

// Documentation only: a malformed id or index is a 404 after the credential was checked, not a 400
// before it.
const OfMeasurement = Type.Object({ measurementId: Type.String({ description: 'Identifier of the measurement' }) });
const OfFile = Type.Object({
  ...OfMeasurement.properties,
  index: Type.Unsafe<string>({
    type: 'integer',
    format: 'int32',
    minimum: 0,
    description: 'Zero-based index within the manifest',
  }),
});
const RangeHeader = Type.Object({
  range: Type.Optional(Type.String({ description: 'Byte ranges: single, open, suffix, or several' })),
});

/** Scopes by which bytes of measurements are read. */
export const downloadScopes = ['read_api', 'read_measurement'] as const;

/**
 * Registers the download interface of measurements: manifest, one file, all files as one ZIP.
 *
 * @returns what other ways to the same bytes share, with the running transfers.
 */
export function registerDownloadRoutes(app: App, deps: DownloadDeps): Serving {
  const serving = createServing(deps);
  const manifests = new Manifests(deps, serving.syncIoPolicies);
  addRawHandler(
    app,
    fastPathRange(serving, { ...deps, scopes: downloadScopes, keepAliveMs: app.server.keepAliveTimeout }),
  );

  app.addHook('preClose', async () => serving.transfers.announceStop());

  app.addHook('onClose', async () => {
    await serving.transfers.stop();
    serving.openFiles.closeAll();
    await serving.objects?.close();
  });
  const common = commonOptions(deps);
  registerArchiveRoutes(app, deps, serving);
  registerFileRoutes(app, deps, serving);

  app.route({
    ...common,
    url: '/measurements/:measurementId/files',
    schema: {
      tags: ['measurements'],
      summary: 'List the files of a measurement in their stable order',
      operationId: 'manifest',
      params: OfMeasurement,
    },
    onRequest: [signInFirst(deps.auth), deps.auth.require(...downloadScopes)],
    handler: async (request, reply) => {
      if (prefersHtml(request.headers.accept))
        await serveListing(serving, request, reply, request.params.measurementId);
      else await serveManifest(serving, manifests, request, reply, request.params.measurementId);
      return reply;
    },
  });
  return serving;
}

function registerArchiveRoutes(app: App, deps: DownloadDeps, serving: Serving): void {
  const common = commonOptions(deps);

  app.route({
    ...common,
    url: '/measurements/:measurementId',
    schema: {
      tags: ['measurements'],
      summary: 'Download all files of a measurement as one ZIP archive; ranges and HEAD work as for a file',
      operationId: 'downloadMeasurementAsZip',
      params: OfMeasurement,
      headers: RangeHeader,
    },
    handler: async (request, reply) => {
      await serveArchive(serving, request, reply, request.params.measurementId);
      return reply;
    },
  });

  app.route({
    ...common,
    url: '/measurements/:measurementId/archive',
    preValidation: requireOneList,
    validatorCompiler: (part) => (part.httpPart === 'querystring' ? validateBySchema(part) : () => true),
    schema: {
      tags: ['measurements'],
      summary:
        'Download some files of a measurement as one ZIP archive; equal selections have equal bytes, ranges and HEAD work as for a file',
      operationId: 'downloadFilesAsZip',
      params: OfMeasurement,
      querystring: SelectionQuery,
      headers: RangeHeader,
    },
    handler: async (request, reply) => {
      await serveSelection(serving, request, reply, request.params.measurementId, request.query.files);
      return reply;
    },
  });
}

function registerFileRoutes(app: App, deps: DownloadDeps, serving: Serving): void {
  const common = commonOptions(deps);

  app.route({
    ...common,
    url: '/measurements/:measurementId/files/:index',
    schema: {
      tags: ['measurements'],
      summary: 'Download one file of a measurement, or ranges of it',
      operationId: 'downloadFile',
      params: OfFile,
      headers: RangeHeader,
    },
    handler: async (request, reply) => {
      await serveFile(serving, request, reply, request.params.measurementId, request.params.index);
      return reply;
    },
  });

  app.route({
    ...common,
    url: '/measurements/:measurementId/files/:index/pieces',
    schema: {
      tags: ['measurements'],
      summary: 'SHA-256 of each piece of a file, to find and repair the part of a copy that is wrong',
      operationId: 'getFilePieces',
      params: OfFile,
    },
    handler: async (request, reply) => {
      await servePieces(serving, request, reply, request.params.measurementId, request.params.index);
      return reply;
    },
  });
}

/** Options of all routes of downloads. */
function commonOptions({ auth }: Pick<DownloadDeps, 'auth'>) {
  return {
    method: ['GET', 'HEAD'] satisfies HTTPMethods[] as HTTPMethods[],
    onRequest: auth.require(...downloadScopes),
    // The schemas only describe the routes in the OpenAPI document; the handlers check ids and
    // indices.
    validatorCompiler: () => () => true,
  };
}

/**
 * Redirects a browser without a session to the sign-in page and back. Requests with a credential,
 * and those that do not prefer HTML, get the usual 401.
 */
function signInFirst(auth: Authentication) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const { accept, authorization, 'private-token': token } = request.headers;
    if (request.method !== 'GET' || !prefersHtml(accept) || authorization !== undefined || token !== undefined)
      return undefined;
    await auth.optional(request);
    if (request.principal) return undefined;
    return reply
      .header('cache-control', 'no-store')
      .redirect(`/users/sign_in?return_to=${encodeURIComponent(request.url)}`, 303);
  };
}
