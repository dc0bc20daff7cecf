import { retryBackgroundForMs, retryWrites, retryWritesForMs } from '../../database/write-lock.ts';
import type { StoreContext } from '../../database/store-context.ts';
import { accessMaintenanceStore } from './access-maintenance-store.ts';
import { blockSumsStore } from './block-sums-store.ts';
import { downloadsListStore } from './downloads-list-store.ts';
import { fileListStore } from './file-list.ts';
import { fileOrdersStore } from './file-orders-store.ts';
import { filesStore } from './files-store.ts';
import { foldersStore } from './folders-store.ts';
import { grantsStore } from './grants-store.ts';
import { leftOutStore } from './left-out-store.ts';
import { measurementsStore } from './measurements-store.ts';
import { objectsStore } from './objects-store.ts';
import { piecesStore } from './pieces-store.ts';
import { quotasStore } from './quotas-store.ts';
import { registrationStore } from './registration-store.ts';
import { UncheckedFiles } from './unchecked-files.ts';
import { uploadsStore } from './uploads-store.ts';

export function measurementStores({ database, writeLock, retried, background }: StoreContext) {
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
    quotas: retried(quotasStore(database)),
  };
}

export type MeasurementStores = ReturnType<typeof measurementStores>;
