import { isoTime } from '../../common/iso-time.ts';
import type { Upload, UploadState } from '../../contract/measurements.ts';
import type { JobRow } from '../../jobs/jobs-store.ts';
import type { JobStores } from '../../jobs/stores.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { UploadRow } from '../store/uploads-store.ts';
import { manifestName } from './members/expected-file.ts';

/** Uploads to which nothing comes for this long are removed. */
export const uploadLifetimeMs = 7 * 86_400_000;

/** When it is removed if nothing more comes, for a header. */
export function expiryOf(upload: UploadRow): string {
  return new Date(upload.touched_at + uploadLifetimeMs).toUTCString();
}

/** An upload as its owner sees it. @param offset The number of bytes that are there. */
export async function uploadShape(deps: JobStores, upload: UploadRow, offset: number): Promise<Upload> {
  const job = upload.job_id === null ? null : await deps.jobs.byId(upload.job_id);
  const state = stateOf(upload, job);
  return {
    id: upload.id,
    measurement_id: upload.measurement_id,
    title: upload.title,
    file_name: upload.file_name,
    state,
    offset,
    length: upload.length,
    problem: state === 'failed' ? (job?.message ?? upload.problem) : null,
    created_at: isoTime(upload.created_at),
    expires_at: state === 'receiving' ? isoTime(upload.touched_at + uploadLifetimeMs) : null,
  };
}

/** The answer to an upload of files that a measurement has already. */
export function shapeOfMeasurement(measurement: MeasurementRow): Upload {
  return {
    id: null,
    measurement_id: measurement.id,
    title: measurement.title,
    file_name: manifestName,
    state: 'available',
    offset: measurement.archive_bytes,
    length: measurement.archive_bytes,
    problem: null,
    created_at: isoTime(measurement.created_at),
    expires_at: null,
  };
}

function stateOf(upload: UploadRow, job: JobRow | null): UploadState {
  if (upload.ended_at === null) return 'receiving';
  if (upload.job_id === null) return 'failed';
  // Old jobs are removed before uploads are.
  if (job === null || job.state === 'done') return 'available';
  return job.state === 'failed' || job.state === 'cancelled' ? 'failed' : 'registering';
}
