import type { IncomingMessage } from 'node:http';
import type { MeasurementAccess } from '../access/access.ts';
import type { SendBuffers } from '../transfers/buffer-pool.ts';
import type { CheckedBlocks } from '../block-checks/checked-blocks.ts';
import type { SyncIoPolicies } from '../storage/file-storage.ts';
import type { KernelCalls } from '../storage/kernel-calls.ts';
import type { OpenFiles } from '../content/open-files.ts';
import type { ArchiveDescriptions } from '../content/serve-headers.ts';
import type { Transfers } from '../transfers/transfers.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { Logger } from 'pino';
import type { Events } from '../../common/events.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';

/** What the operations of the download interface share. */
export interface Serving {
  readonly services: Pick<MeasurementStores, 'measurements' | 'files' | 'unchecked'> &
    Pick<AuditStores, 'audit'> & {
      readonly paths: DataPaths;
      readonly log: Logger;
      readonly events: Events;
      readonly changes: ChangeCounter;
    };
  readonly access: MeasurementAccess;
  readonly transfers: Transfers;
  readonly openFiles: OpenFiles;
  readonly syncIoPolicies: SyncIoPolicies;
  /** What ranges are checked against. */
  readonly checked: CheckedBlocks;
  readonly buffers: SendBuffers;
  readonly archives: ArchiveDescriptions;
  /** Where the proxy that sent a request finds a file by itself; null when it may not. */
  readonly internalAddress: (request: IncomingMessage, file: string) => string | null;
  /** Sends past Node, where this system can. */
  readonly kernel: KernelCalls | null;
  /** Path prefix of the base URL, without a slash at its end. */
  readonly basePath: () => string;
}
