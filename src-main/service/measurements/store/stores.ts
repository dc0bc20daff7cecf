import { retryBackgroundForMs, retryWrites, retryWritesForMs } from '../../database/sqlite/write-lock.ts';
import type { StoreContext } from '../../database/store-context.ts';
import { accessMaintenanceStore, type AccessMaintenanceStore } from './access-maintenance-store.ts';
import { blockSumsStore, type BlockSumsStore } from './block-sums-store.ts';
import { downloadsListStore, type DownloadsListStore } from './downloads-list-store.ts';
import { fileListStore, type FileListStore } from './file-list.ts';
import { fileOrdersStore } from './file-orders-store.ts';
import { filesStore, type FilesStore } from './files-store.ts';
import { foldersStore, type FoldersStore } from './folders-store.ts';
import { grantsStore, type GrantsStore } from './grants-store.ts';
import { leftOutStore, type LeftOutStore } from './left-out-store.ts';
import { measurementsStore, type MeasurementsStore } from './measurements-store.ts';
import { objectsStore, type ObjectsStore } from './objects-store.ts';
import { piecesStore, type PiecesStore } from './pieces-store.ts';
import { quotasStore, type QuotasStore } from './quotas-store.ts';
import type { RegistrationStore } from './registration-rows.ts';
import { registrationStore } from './registration-store.ts';
import { UncheckedFiles } from './unchecked-files.ts';
import { uploadPartsStore, type UploadPartsStore } from './upload-parts-store.ts';
import { uploadsStore, type UploadsStore } from './uploads-store.ts';

export interface MeasurementStores {
  readonly measurements: MeasurementsStore;
  readonly accessUpkeep: AccessMaintenanceStore;
  readonly files: FilesStore;
  readonly fileList: FileListStore;
  readonly folders: FoldersStore;
  readonly blockSums: BlockSumsStore;
  readonly pieces: PiecesStore;
  readonly objects: ObjectsStore;
  readonly leftOut: LeftOutStore;
  readonly unchecked: UncheckedFiles;
  readonly grants: GrantsStore;
  readonly downloads: DownloadsListStore;
  readonly registrations: RegistrationStore;
  readonly uploads: UploadsStore;
  readonly uploadParts: UploadPartsStore;
  readonly quotas: QuotasStore;
}

export function measurementStores({ database, writeLock, retried, background }: StoreContext): MeasurementStores {
  const orders = fileOrdersStore(database);
  const { searchFill, endedAccess } = accessMaintenanceStore(database);
  return {
    measurements: retried(measurementsStore(database)),
    accessUpkeep: { searchFill: background(searchFill), endedAccess: background(endedAccess) },
    files: retried(filesStore(database)),
    fileList: retried(fileListStore(database, orders)),
    folders: retried(foldersStore(database, orders)),
    blockSums: blockSumsStore(database),
    pieces: piecesStore(database),
    objects: retried(objectsStore(database)),
    leftOut: retried(leftOutStore(database)),
    unchecked: new UncheckedFiles(),
    grants: retried(grantsStore(database)),
    downloads: downloadsListStore(database),
    registrations: retryWrites(writeLock, registrationStore(database), retryBackgroundForMs, {
      reserve: retryWritesForMs,
    }),
    uploads: retried(uploadsStore(database)),
    uploadParts: retried(uploadPartsStore(database)),
    quotas: retried(quotasStore(database)),
  };
}
