import type { Api } from '../requests/request.ts';
import type { MeasurementDetail, RemovedMeasurement } from '../requests/types.ts';
import { createReaders } from './read-queries.ts';

const path = '/api/v4/removed_measurements';
const pageSize = 50;

/** Queries about removed measurements that can be restored. */
export function createRemovedQueries(api: Api) {
  const { readPages } = createReaders(api);
  return {
    removedMeasurements: () => readPages<RemovedMeasurement>(['measurements', 'removed'], path, pageSize),
  };
}

/** Requests that restore or purge removed measurements, each named by the number of its removal. */
export function createRemovedActions(api: Api) {
  return {
    /** The last removal of a measurement with this id; null when it cannot be restored. */
    removalOf: async (measurementId: string) =>
      (await api.json<RemovedMeasurement[]>(path, { query: { measurement_id: measurementId, per_page: 1 } }))[0] ??
      null,
    restore: (removal: number) =>
      api.json<MeasurementDetail>(`${path}/${removal}/restore`, { method: 'POST', body: {} }),
    removeForGood: (removal: number) => api.nothing(`${path}/${removal}`, { method: 'DELETE' }),
  };
}
