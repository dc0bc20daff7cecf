import type { MeasurementWithOwner } from '../../service/measurements/store/measurements-store.ts';
import { CommandError } from '../support/terminal.ts';
import type { MeasurementStores } from '../../service/measurements/store/stores.ts';

/**
 * The measurement with that id.
 * @throws CommandError if there is none or its registration is not complete.
 */
export async function requireMeasurement(
  services: Pick<MeasurementStores, 'measurements'>,
  id: string,
): Promise<MeasurementWithOwner> {
  const measurement = await services.measurements.withOwner(id);
  if (!measurement)
    throw new CommandError(`There is no measurement ${id}. "benchport measurement list" shows them all.`);
  if (measurement.state === 'registering') throw new CommandError(`${id} is still being registered.`);
  return measurement;
}
