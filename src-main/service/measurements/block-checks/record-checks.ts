import type { FileCheck } from '../store/files-store.ts';
import type { Events } from '../../common/events.ts';
import type { MeasurementStores } from '../store/stores.ts';

type Deps = Pick<MeasurementStores, 'measurements' | 'files'> & { readonly events: Events };

/**
 * Stores the results of checking files of a measurement, and emits `degraded` when the measurement
 * had no problem before.
 *
 * @returns whether the measurement's state or its number of problems changed.
 */
export async function recordChecks(
  deps: Deps,
  measurementId: string,
  checks: readonly (FileCheck & { readonly index: number })[],
): Promise<boolean> {
  const outcome = await deps.files.recordChecks(measurementId, checks);
  if (outcome === 'degraded') {
    const measurement = await deps.measurements.byId(measurementId);
    if (measurement) deps.events.emit('degraded', { measurement_id: measurementId, title: measurement.title });
  }
  return outcome !== 'same';
}
