import type { MeasurementSummary } from '../../../src-main/service/contract/measurements.ts';
import type { RemovedMeasurement } from '../../../src-main/service/contract/removed/removed-measurements.ts';
import { answer, refused, type FakeAnswer } from './fake-answer.ts';
import { manyMeasurements } from './fake-data.ts';

const dayMs = 86_400_000;

export interface FakeRemoved {
  add(measurement: MeasurementSummary): void;
  /** Answers requests below `removed_measurements/`. @param id of the removal, and what to do with it. */
  answer(method: string, id: string, query: URLSearchParams): FakeAnswer;
}

/**
 * Measurements that were removed.
 *
 * @param count of those that were removed before.
 * @param onRestored is called with one that is not removed any more.
 */
export function fakeRemoved(count: number, onRestored: (measurement: MeasurementSummary) => void): FakeRemoved {
  const measurements = new Map<number, MeasurementSummary>();
  let removed: readonly RemovedMeasurement[] = [];
  const add = (measurement: MeasurementSummary, at: number): void => {
    const id = measurements.size + 1;
    measurements.set(id, measurement);
    const { title, storage, owner, file_count, total_bytes } = measurement;
    const row: RemovedMeasurement = {
      id,
      measurement_id: measurement.id,
      title,
      storage,
      owner,
      file_count,
      total_bytes,
      removed_at: new Date(at).toISOString(),
      removed_by: id % 3 === 0 ? null : 'alice',
      restorable_until: new Date(at + 7 * dayMs).toISOString(),
    };
    removed = [row, ...removed];
  };
  for (const [at, measurement] of manyMeasurements(count).entries())
    add({ ...measurement, id: `old-${measurement.id}` }, Date.now() - ((count - at) * 6 * dayMs) / count);
  return {
    add: (measurement) => add(measurement, Date.now()),
    answer: (method, id, query) => {
      const row = removed.find((one) => one.id === Number(id));
      if (method === 'GET' && id === '') {
        const name = query.get('measurement_id');
        const found = removed.filter((one) => name === null || one.measurement_id === name);
        const [page, perPage] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 20)];
        return answer(200, found.slice((page - 1) * perPage, page * perPage), { 'x-total': String(found.length) });
      }
      if (row === undefined) return refused(404, 'Not found', 'There is no such removed measurement.');
      removed = removed.filter((one) => one !== row);
      const measurement = measurements.get(row.id);
      if (method === 'POST' && measurement) onRestored(measurement);
      return answer(method === 'POST' ? 200 : 204, method === 'POST' ? measurement : undefined);
    },
  };
}
