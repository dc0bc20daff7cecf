import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { DataPaths } from '../../common/data-paths.ts';
import type { Events } from '../../common/events.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { ObjectStorage } from '../../object-storage/object-storage.ts';
import { removeManifest, removeMeasurement } from '../registration/remove.ts';
import type { MeasurementStores } from '../store/stores.ts';
import { markRemoved } from './removed-mark.ts';
import type { RemovedRow } from './store/removed-rows.ts';
import type { RemovedStores } from './store/stores.ts';

/** How long a removed measurement can be restored. */
export const keptForMs = 7 * 24 * 60 * 60 * 1000;
/** A slice takes about four milliseconds on SQLite. */
export const rowsPerSlice = 200;
const storageWaitMs = 5000;

export type RemovedDeps = Pick<MeasurementStores, 'measurements' | 'registrations'> &
  RemovedStores & {
    readonly config: ServiceConfig;
    readonly paths: DataPaths;
    readonly log: Logger;
    readonly events: Events;
    readonly changes: ChangeCounter;
    readonly objectStorage: ObjectStorage | null;
  };

/**
 * Removes a measurement so that it can be restored for seven days. Nobody reads it from then on, and
 * its id is free; its files stay as they are. What a kill interrupts is continued by
 * {@link settleRemoved}.
 *
 * @param by Null for the command line.
 * @returns null when there is none, or its registration was not complete: then nothing is kept.
 * @throws HttpProblem 409 while it is being restored.
 */
export async function keepRemoved(deps: RemovedDeps, id: string, by: number | null): Promise<RemovedRow | null> {
  const now = Date.now();
  const kept = await deps.removed.keep({
    measurementId: id,
    keptId: `-${randomUUID()}`,
    by,
    now,
    expiresAt: now + keptForMs,
  });
  if (kept.outcome === 'restoring')
    throw new HttpProblem(409, `${id} is being restored. Try again in a moment.`, { type: 'being-restored' });
  if (kept.outcome !== 'kept') {
    if (kept.outcome === 'unfinished') await removeMeasurement(deps, id);
    return null;
  }
  deps.changes.bump();
  deps.events.emit('changed', { topic: 'measurements', id });
  const row = await deps.removed.byNumber(kept.number);
  if (!row) return null;
  // It is hidden now. What cannot be done, for example on a full disk, is done later.
  await settleRemoved(deps, row).catch((error: unknown) =>
    deps.log.warn({ err: error, measurement: id }, 'a removed measurement is not put aside yet'),
  );
  await markInTime(deps, row);
  return deps.removed.byNumber(kept.number);
}

/** Puts the rows of a removed measurement aside, from where an earlier attempt got, and frees its id. */
export async function settleRemoved(deps: RemovedDeps, row: RemovedRow): Promise<void> {
  while (await deps.removed.putAside(row.id, rowsPerSlice)) await new Promise(setImmediate);
  const measurement = await deps.measurements.byId(row.kept_id);
  if (measurement) await removeManifest(deps, { ...measurement, id: row.measurement_id });
  await deps.removed.settle(row.id);
  deps.changes.bump();
  deps.events.emit('changed', { topic: 'measurements', id: row.measurement_id });
}

/** A storage that does not answer holds up no removal: the mark is made later. */
async function markInTime(deps: RemovedDeps, row: RemovedRow): Promise<void> {
  if (!deps.objectStorage) return;
  await markRemoved(deps, deps.objectStorage, row, AbortSignal.timeout(storageWaitMs)).catch((error: unknown) =>
    deps.log.warn({ err: error, measurement: row.measurement_id }, 'the object storage does not know of a removal yet'),
  );
}
