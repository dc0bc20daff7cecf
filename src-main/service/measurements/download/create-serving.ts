import type { Authentication } from '../../http/authentication.ts';
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
import { OpenFiles } from '../content/open-files.ts';
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

/** Makes what the ways to the bytes of measurements share. */
export function createServing(deps: DownloadDeps): Serving {
  const access = measurementAccess(deps);
  const locations = (deps.config.internalLocations ?? []).map(withRealFolder);
  const syncIoPolicies = new SyncIoPolicies();
  return {
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
}

function objectBlocks({ config, objectStorage, objects, diskSpace, log }: DownloadDeps): ObjectBlocks | null {
  if (!objectStorage) return null;
  const { folder, maxBytes } = blockCacheOf(config);
  return new ObjectBlocks(objectStorage, objects, new BlockCache(folder, maxBytes, () => !diskSpace.low), log);
}
