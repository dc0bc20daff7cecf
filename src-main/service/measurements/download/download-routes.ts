import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { Type } from 'typebox';
import { addRawHandler } from '../../http/server/raw-handler.ts';
import type { App } from '../../http/app.ts';
import type { Authentication } from '../../http/authentication.ts';
import { prefersHtml } from '../../http/semantics/prefers-html.ts';
import type { Metrics } from '../../metrics/health-metrics.ts';
import type { TrustedProxies } from '../../http/server/trusted-proxies.ts';
import { measurementAccess } from '../access/access.ts';
import { SendBuffers } from '../transfers/buffer-pool.ts';
import { CheckedBlocks } from '../block-checks/checked-blocks.ts';
import { SyncIoPolicies } from '../storage/file-storage.ts';
import { internalAddress, withRealFolder } from './x-accel-redirect.ts';
import { kernelCalls } from '../storage/kernel-calls.ts';
import { quickRange } from './fast-path-range.ts';
import { Manifests } from './manifests.ts';
import { OpenFiles } from '../content/open-files.ts';
import { serveArchive } from './serve-archive.ts';
import { serveFile } from './serve-file.ts';
import { serveListing } from './serve-listing.ts';
import { serveManifest } from './serve-manifest.ts';
import type { Serving } from './serving.ts';
import { defaultTransferLimits, Transfers } from '../transfers/transfers.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { Logger } from 'pino';
import type { Events } from '../../common/events.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';
import type { TransferStores } from '../../transfers/stores.ts';

// Described, not checked: an id or index of the wrong form is 404 after the credential was looked at, not 400 before it.
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
    readonly paths: DataPaths;
    readonly log: Logger;
    readonly events: Events;
    readonly changes: ChangeCounter;
    readonly auth: Authentication;
    readonly baseUrl: () => string;
    readonly hostAllowed: (host: string | undefined) => boolean;
    readonly proxies: TrustedProxies;
    readonly metrics: Metrics;
  };

const scopes = ['read_api', 'read_measurement'] as const;

/**
 * The measurement download interface: manifest, one file, all files as one ZIP.
 * @returns what is being sent.
 */
export function registerDownloadRoutes(app: App, deps: DownloadDeps): Transfers {
  const access = measurementAccess(deps);
  const locations = (deps.config.internalLocations ?? []).map(withRealFolder);
  const syncIoPolicies = new SyncIoPolicies();
  const serving: Serving = {
    services: deps,
    access,
    syncIoPolicies,
    checked: new CheckedBlocks(deps),
    transfers: new Transfers({
      store: deps.transfers,
      access,
      events: deps.events,
      log: deps.log,
      limits: { ...defaultTransferLimits, ...deps.config.transferLimits },
    }),
    openFiles: new OpenFiles(deps, syncIoPolicies),
    buffers: new SendBuffers(),
    archives: new WeakMap(),
    internalAddress: (request, file) => (deps.proxies.sent(request) ? internalAddress(locations, file) : null),
    kernel: deps.config.kernelCalls === undefined ? kernelCalls() : deps.config.kernelCalls,
    basePath: () => new URL(deps.baseUrl()).pathname.replace(/\/+$/, ''),
  };
  const manifests = new Manifests(deps, syncIoPolicies);
  addRawHandler(app, quickRange(serving, { ...deps, scopes, keepAliveMs: app.server.keepAliveTimeout }));

  app.addHook('preClose', async () => serving.transfers.announceStop());
  app.addHook('onClose', async () => {
    await serving.transfers.stop();
    serving.openFiles.closeAll();
  });

  const common = {
    method: ['GET', 'HEAD'] satisfies HTTPMethods[] as HTTPMethods[],
    onRequest: deps.auth.require(...scopes),
    // The schemas describe the routes in the OpenAPI document; serving decides about ids and indices itself.
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
    url: '/measurements/:measurementId/files',
    schema: {
      tags: ['measurements'],
      summary: 'List the files of a measurement in their stable order',
      operationId: 'manifest',
      params: OfMeasurement,
    },
    onRequest: [signInFirst(deps.auth), deps.auth.require(...scopes)],
    handler: async (request, reply) => {
      if (prefersHtml(request.headers.accept))
        await serveListing(serving, request, reply, request.params.measurementId);
      else await serveManifest(serving, manifests, request, reply, request.params.measurementId);
      return reply;
    },
  });
  return serving.transfers;
}

/** Sends a browser that nobody is signed in with to the sign-in page and back. Whoever sends a credential, or wants anything but a page, is refused as everywhere. */
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
