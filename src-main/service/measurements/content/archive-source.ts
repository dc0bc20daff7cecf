import type { DataPaths } from '../../common/data-paths.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import { CheckedBlocks } from '../block-checks/checked-blocks.ts';
import { absolutePathOf, rootOf, SyncIoPolicies } from '../storage/file-storage.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { ArchiveSource } from './copy-archive.ts';

/** The archive of a measurement in a folder, for a job that reads it on behalf of its owner. */
export function archiveForJob(
  services: Pick<MeasurementStores, 'files' | 'blockSums'> & {
    readonly paths: DataPaths;
    readonly changes: ChangeCounter;
  },
  measurement: MeasurementRow,
): ArchiveSource {
  const root = rootOf(services.paths, measurement);
  return {
    measurement,
    files: services.files,
    root,
    syncIo: new SyncIoPolicies().of(root),
    kernel: null,
    checked: new CheckedBlocks(services),
    userId: measurement.owner_id,
    pathOf: (file) => absolutePathOf(services.paths, measurement, file),
  };
}
