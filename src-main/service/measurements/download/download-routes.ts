import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { Type } from 'typebox';
import { addRawHandler } from '../../http/server/raw-handler.ts';
import { SelectionQuery } from '../../contract/measurements.ts';
import { validateBySchema } from '../../http/server/schema-validation.ts';
import type { App } from '../../http/app.ts';
import type { Authentication } from '../../http/authentication.ts';
import { prefersHtml } from '../../http/semantics/prefers-html.ts';
import type { Metrics } from '../../metrics/health-metrics.ts';
import type { TrustedProxies } from '../../http/server/trusted-proxies.ts';
import { measurementAccess } from '../access/access.ts';
import { SendBuffers } from '../transfers/buffer-pool.ts';
import { BlockCache } from '../objects/block-cache.ts';
import { blockCacheOf } from '../objects/block-cache-settings.ts';
import { ObjectBlocks } from '../objects/object-blocks.ts';
import { CheckedBlocks } from '../block-checks/checked-blocks.ts';
import { Layouts } from '../selection/read-layout.ts';
import { SyncIoPolicies } from '../storage/file-storage.ts';
import { internalAddress, withRealFolder } from './x-accel-redirect.ts';
import { kernelCalls } from '../storage/kernel-calls.ts';
import { fastPathRange } from './fast-path-range.ts';
import { Manifests } from './manifests.ts';
import { OpenFiles } from '../content/open-files.ts';
import { serveArchive } from './serve-archive.ts';
import { serveFile } from './serve-file.ts';
import { serveListing } from './serve-listing.ts';
import { requireOneList, serveSelection } from './serve-selection.ts';
import { servePieces } from './serve-pieces.ts';
import { serveManifest } from './serve-manifest.ts';
import type { Serving } from './serving.ts';
import { defaultTransferLimits, Transfers } from '../transfers/transfers.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { DiskSpaceMonitor } from '../../database/disk-space.ts';
import type { ObjectStorage } from '../../object-storage/object-storage.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { Logger } from 'pino';
import type { Events } from '../../common/events.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { Cluster } from '../../database/cluster/cluster.ts';
import { defaultAccessGraceMs } from '../../database/cluster/unconfirmed.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { TransferStores } from '../../transfers/stores.ts';

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

export type DownloadDeps = MeasurementStores &
  Pick<AuditStores, 'audit'> &
  Pick<TransferStores, 'transfers'> & {
    readonly config: ServiceConfig;
    readonly objectStorage: ObjectStorage | null;
    readonly diskSpace: Pick<DiskSpaceMonitor, 'low'>;
    readonly paths: DataPaths;
    readonly log: Logger;
    readonly events: Events;
    readonly changes: ChangeCounter;
    readonly cluster: Cluster;
    readonly auth: Authentication;
    readonly baseUrl: () => string;
    readonly hostAllowed: (host: string | undefined) => boolean;
    readonly proxies: TrustedProxies;
    readonly metrics: Metrics;
  };

/** Scopes by which bytes of measurements are read. */
export const downloadScopes = ['read_api', 'read_measurement'] as const;

/**
 * Registers the download interface of measurements: manifest, one file, all files as one ZIP.
 *
 * @returns what other ways to the same bytes share, with the running transfers.
 */
export function registerDownloadRoutes(app: App, deps: DownloadDeps): Serving {
  const access = measurementAccess(deps);
  const locations = (deps.config.internalLocations ?? []).map(withRealFolder);
  const syncIoPolicies = new SyncIoPolicies();
  const serving: Serving = {
    services: deps,
    access,
    syncIoPolicies,
    objects: objectBlocks(deps),
    checked: new CheckedBlocks(deps),
    transfers: new Transfers({
      store: deps.transfers,
      access,
      changes: deps.changes,
      cluster: deps.cluster,
      accessGraceMs: deps.config.accessGraceMs ?? defaultAccessGraceMs,
      events: deps.events,
      log: deps.log,
      limits: { ...defaultTransferLimits, ...deps.config.transferLimits },
    }),
    openFiles: new OpenFiles(deps, syncIoPolicies),
    buffers: new SendBuffers(),
    archives: new WeakMap(),
    layouts: new Layouts(),
    internalAddress: (request, file) => (deps.proxies.sent(request) ? internalAddress(locations, file) : null),
    kernel: deps.config.kernelCalls === undefined ? kernelCalls() : deps.config.kernelCalls,
    basePath: () => new URL(deps.baseUrl()).pathname.replace(/\/+$/, ''),
  };
  const manifests = new Manifests(deps, syncIoPolicies);
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

  const common = {
    method: ['GET', 'HEAD'] satisfies HTTPMethods[] as HTTPMethods[],
    onRequest: deps.auth.require(...downloadScopes),
    // The schemas only describe the routes in the OpenAPI document; the handlers check ids and
    // indices.
    validatorCompiler: () => () => true,
  };

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

function objectBlocks({ config, objectStorage, objects, diskSpace, log }: DownloadDeps): ObjectBlocks | null {
  if (!objectStorage) return null;
  const { folder, maxBytes } = blockCacheOf(config);
  return new ObjectBlocks(objectStorage, objects, new BlockCache(folder, maxBytes, () => !diskSpace.low), log);
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
