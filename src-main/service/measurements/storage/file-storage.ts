import path from 'node:path';
import { putBounded } from '../../common/bounded-map.ts';
import { SyncIoPolicy } from './sync-io-policy.ts';
import type { FileRow } from '../store/files-store.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { DataPaths } from '../../common/data-paths.ts';

type Place = Pick<MeasurementRow, 'storage' | 'root'>;

/**
 * Returns the folder that contains the files of a measurement: the registered one, or the library.
 */
export function rootOf(paths: DataPaths, measurement: Place): string {
  return measurement.storage === 'library' ? paths.library : measurement.root;
}

/**
 * Returns the absolute path of a file. `location` was written at registration and never originates
 * from a request.
 */
export function absolutePathOf(paths: DataPaths, measurement: Place, file: Pick<FileRow, 'location'>): string {
  return path.join(rootOf(paths, measurement), file.location);
}

/** Keeps a SyncIoPolicy per folder; the oldest is evicted. */
export class SyncIoPolicies {
  readonly #policies = new Map<string, SyncIoPolicy>();

  of(root: string): SyncIoPolicy {
    let policy = this.#policies.get(root);
    if (!policy) {
      policy = new SyncIoPolicy(root);
      putBounded(this.#policies, 1000, root, policy);
    }
    return policy;
  }
}
