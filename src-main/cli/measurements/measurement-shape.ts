import { isoTime } from '../../service/common/iso-time.ts';
import type { MeasurementWithOwner } from '../../service/measurements/store/measurements-store.ts';

/** The JSON form of a measurement for --json, with the field names of the HTTP interface. */
export function measurementShape(row: MeasurementWithOwner) {
  return {
    id: row.id,
    title: row.title,
    state: row.state,
    storage: row.object_key === null ? row.storage : 'object_storage',
    owner: row.owner_username,
    file_count: row.file_count,
    total_bytes: row.total_bytes,
    archive_bytes: row.archive_bytes,
    problem_count: row.problem_count,
    created_at: isoTime(row.created_at),
    registered_at: isoTime(row.registered_at),
    verified_at: isoTime(row.verified_at),
  };
}
