import type { MeasurementWithOwner } from '../service/measurements/measurements-store.ts';

/** A measurement as --json shows it, with the names of the HTTP interface. */
export function measurementShape(row: MeasurementWithOwner) {
  return {
    id: row.id,
    title: row.title,
    state: row.state,
    storage: row.storage,
    owner: row.owner_username,
    file_count: row.file_count,
    total_bytes: row.total_bytes,
    archive_bytes: row.archive_bytes,
    problem_count: row.problem_count,
    created_at: timestamp(row.created_at),
    registered_at: timestamp(row.registered_at),
    verified_at: timestamp(row.verified_at),
  };
}

/** ISO 8601 in UTC; null for none. */
export function timestamp(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString();
}
