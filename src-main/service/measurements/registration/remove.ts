import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { removeHalfManifests, removeIncoming } from '../storage/library-sweep.ts';
import { manifestFile } from '../catalogue/manifest.ts';
import type { Cluster } from '../../database/cluster/cluster.ts';
import type { ReplicasStore } from '../../database/cluster/replicas-store.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import { basePathOf } from './registration-freeze.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { Logger } from 'pino';
import type { Events } from '../../common/events.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { RemovedStores } from '../removed/store/stores.ts';
import type { MeasurementStores } from '../store/stores.ts';

const rowsPerSlice = 500;
const minAgeMs = 60_000;

interface RemoveDeps extends Pick<MeasurementStores, 'measurements' | 'registrations'> {
  readonly config: ServiceConfig;
  readonly paths: DataPaths;
  readonly log: Logger;
  readonly events: Events;
  readonly changes: ChangeCounter;
}

/**
 * Removes a measurement for good, with its grants and its manifest. Library copies are deleted unless another
 * measurement uses them; referenced files are not touched. An interrupted removal continues at the
 * next start.
 *
 * @returns false when there is no such measurement.
 */
export async function removeMeasurement(services: RemoveDeps, id: string): Promise<boolean> {
  const measurement = await services.measurements.byId(id);
  if (!measurement) return false;
  await services.registrations.hide(id);
  services.changes.bump();
  services.events.emit('changed', { topic: 'measurements', id });
  // The measurement is hidden now. What cannot be deleted, for example on a full disk, is deleted
  // at the next start.
  await clearAway(services, measurement).catch((error: unknown) =>
    services.log.warn({ err: error, measurement: id }, 'the files of a removed measurement are not deleted yet'),
  );
  return true;
}

/**
 * Removes a hidden measurement with the files that only it uses, from where an earlier attempt got.
 */
export async function clearAway(
  services: Pick<MeasurementStores, 'measurements' | 'registrations'> & {
    readonly config: ServiceConfig;
    readonly paths: DataPaths;
    readonly events: Events;
    readonly changes: ChangeCounter;
  },
  measurement: MeasurementRow,
): Promise<void> {
  const { id } = measurement;
  const remove =
    measurement.storage === 'library'
      ? (location: string) => rmSync(path.join(services.paths.library, location), { force: true })
      : null;
  while (await services.registrations.dropFiles(id, rowsPerSlice, remove)) await new Promise(setImmediate);
  await removeManifest(services, measurement);
  await services.measurements.remove(id);
  services.changes.bump();
  services.events.emit('changed', { topic: 'measurements', id });
}

/** Removes what is made anew when it is needed: the frozen manifest, and files staged for dragging. */
export async function removeManifest(
  services: { readonly config: ServiceConfig; readonly paths: DataPaths },
  measurement: MeasurementRow,
): Promise<void> {
  const manifest = manifestFile(services, measurement, basePathOf(services));
  for (const file of [manifest, `${manifest}.gz`]) await rm(file, { force: true });
  await rm(path.join(services.paths.staging, measurement.id), { recursive: true, force: true });
}

/** Removes a measurement whose registration never finished; an available one is left alone. */
export async function discardMeasurement(services: RemoveDeps & RemovedStores, id: string): Promise<void> {
  const measurement = await services.measurements.byId(id);
  // One whose rows are being put aside or back looks as if it were under registration.
  if (measurement?.state === 'registering' && !(await services.removed.isMoving(id)))
    await removeMeasurement(services, id);
}

/** Removes what an earlier process of this data directory left behind when it was killed. */
export async function removeLeftOfProcess(services: { readonly paths: DataPaths }): Promise<void> {
  await removeHalfManifests(services);
  await rm(path.join(services.paths.staging), { recursive: true, force: true });
}

/** Removes what registrations and removals left behind when the service was killed. */
export async function removeAbandoned(
  services: Pick<MeasurementStores, 'measurements' | 'registrations'> &
    RemovedStores & {
      readonly cluster: Cluster;
      readonly replicas: ReplicasStore;
      readonly config: ServiceConfig;
      readonly paths: DataPaths;
      readonly log: Logger;
      readonly events: Events;
      readonly changes: ChangeCounter;
    },
): Promise<void> {
  // Between a registration of another replica and its job is an instant.
  const before = services.cluster.replica() === null ? Infinity : Date.now() - minAgeMs;
  for (const id of await services.registrations.abandoned(before)) await discardMeasurement(services, id);
  await removeIncoming(services);
}
