import type { ListPosition } from '../../service/measurements/store/access-order.ts';
import type { MeasurementPage, MeasurementWithOwner } from '../../service/measurements/store/measurements-store.ts';
import type { MeasurementStores } from '../../service/measurements/store/stores.ts';

const pageSize = 500;

/** All measurements whose id or title contains a text, newest first, read in pages. */
export async function* everyMeasurement(
  services: Pick<MeasurementStores, 'measurements'>,
  search = '',
): AsyncGenerator<MeasurementWithOwner> {
  const now = Date.now();
  let after: ListPosition | null = null;
  do {
    const listing = {
      visibleTo: null,
      search,
      sort: 'created_at',
      descending: true,
      limit: pageSize,
      offset: 0,
      after,
      now,
    } as const;
    const page: MeasurementPage = await services.measurements.list(listing);
    yield* page.rows;
    after = page.next;
  } while (after !== null);
}
