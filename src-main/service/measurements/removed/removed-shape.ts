import { countOf } from '../../common/count-of.ts';
import type { RemovedMeasurement } from '../../contract/removed/removed-measurements.ts';
import type { RemovedRow } from './store/removed-rows.ts';

/** The public form of a removed measurement. */
export function removedShape(row: RemovedRow): RemovedMeasurement {
  return {
    id: row.id,
    measurement_id: row.measurement_id,
    title: row.title,
    storage: row.object_key === null ? row.storage : 'object_storage',
    owner: { id: row.owner_id, username: row.owner_username, name: row.owner_name },
    file_count: row.file_count,
    total_bytes: row.total_bytes,
    removed_at: new Date(row.removed_at).toISOString(),
    removed_by: row.removed_by_username,
    restorable_until: new Date(row.expires_at).toISOString(),
  };
}

/** The part of an entry of the audit trail that says which measurement. */
export function auditOf(row: RemovedRow): { readonly subject: string; readonly detail: string } {
  return { subject: `measurement:${row.measurement_id}`, detail: countOf(row.file_count, 'file') };
}
