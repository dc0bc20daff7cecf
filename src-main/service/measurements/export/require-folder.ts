import { HttpProblem } from '../../common/problem.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';

/** @throws HttpProblem 409 for a measurement in the object storage, whose archive is downloaded instead. */
export function requireFolder({ id, object_key: key }: Pick<MeasurementRow, 'id' | 'object_key'>): void {
  if (key === null) return;
  throw new HttpProblem(
    409,
    `Measurement ${id} lies in the object storage. Download it: GET /measurements/${id} sends all its files as one ZIP.`,
    { type: 'in-object-storage' },
  );
}
