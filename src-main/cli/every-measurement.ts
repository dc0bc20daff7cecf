import type { MeasurementWithOwner } from '../service/measurements/measurements-store.ts';
import type { Services } from '../service/services.ts';

const pageSize = 500;

/** All measurements whose id or title contains a text, newest first, read in pages. */
export async function* everyMeasurement(services: Services, search = ''): AsyncGenerator<MeasurementWithOwner> {
  const now = Date.now();
  for (let offset = 0; ; offset += pageSize) {
    const listing = { visibleTo: null, search, sort: 'created_at', descending: true, limit: pageSize, offset, now } as const;
    const { rows } = await services.measurements.list(listing);
    yield* rows;
    if (rows.length < pageSize) return;
  }
}
