import type { IncomingMessage } from 'node:http';
import type { MeasurementAccess } from '../access/access.ts';
import type { SendBuffers } from '../transfers/buffer-pool.ts';
import type { CheckedBlocks } from '../block-checks/checked-blocks.ts';
import type { ObjectBlocks } from '../objects/object-blocks.ts';
import type { Layouts } from '../selection/read-layout.ts';
import type { SyncIoPolicies } from '../storage/file-storage.ts';
import type { KernelCalls } from '../storage/kernel-calls.ts';
import type { OpenFiles } from '../content/open-files.ts';
import type { ArchiveDescriptions } from '../content/serve-headers.ts';
import type { Transfers } from '../transfers/transfers.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { Logger } from 'pino';
import type { Events } from '../../common/events.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';

/** Dependencies shared by the download operations. */
export interface Serving {
  readonly services: Pick<MeasurementStores, 'measurements' | 'files' | 'pieces' | 'unchecked'> &
    Pick<AuditStores, 'audit'> & {
      readonly config: ServiceConfig;
      readonly paths: DataPaths;
      readonly log: Logger;
      readonly events: Events;
      readonly changes: ChangeCounter;
    };
  readonly access: MeasurementAccess;
  readonly transfers: Transfers;
  readonly openFiles: OpenFiles;
  readonly syncIoPolicies: SyncIoPolicies;
  /** Blocks of archives in the object storage; null without one. */
  readonly objects: ObjectBlocks | null;
  /** Verified blocks, for partial ranges. */
  readonly checked: CheckedBlocks;
  readonly buffers: SendBuffers;
  readonly archives: ArchiveDescriptions;
  readonly layouts: Layouts;
  /**
   * Returns the X-Accel-Redirect location of a file; null when the request was not sent by a
   * trusted proxy or nginx may not read the file.
   */
  readonly internalAddress: (request: IncomingMessage, file: string) => string | null;
  /** System calls that bypass Node; null where this platform has none. */
  readonly kernel: KernelCalls | null;
  /** Path prefix of the base URL, without a trailing slash. */
  readonly basePath: () => string;
}
