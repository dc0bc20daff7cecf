import { isoTime } from '../../common/iso-time.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { Upload, UploadState } from '../../contract/measurements.ts';
import type { JobRow } from '../../jobs/jobs-store.ts';
import type { JobStores } from '../../jobs/stores.ts';
import type { UploadRow } from '../store/uploads-store.ts';
import { receivedBytes } from './upload-files.ts';

/** Uploads to which nothing comes for this long are removed. */
export const uploadLifetimeMs = 7 * 86_400_000;

/** When it is removed if nothing more comes, for a header. */
export function expiryOf(upload: UploadRow): string {
  return new Date(upload.touched_at + uploadLifetimeMs).toUTCString();
}

/** An upload as its owner sees it. */
export async function uploadShape(deps: JobStores & { readonly paths: DataPaths }, upload: UploadRow): Promise<Upload> {
  const job = upload.job_id === null ? null : await deps.jobs.byId(upload.job_id);
  const state = stateOf(upload, job);
  return {
    id: upload.id,
    measurement_id: upload.measurement_id,
    title: upload.title,
    file_name: upload.file_name,
    state,
    offset: upload.ended_at === null ? await receivedBytes(deps, upload) : (upload.length ?? 0),
    length: upload.length,
    problem: state === 'failed' ? (job?.message ?? upload.problem) : null,
    created_at: isoTime(upload.created_at),
    expires_at: state === 'receiving' ? isoTime(upload.touched_at + uploadLifetimeMs) : null,
  };
}

function stateOf(upload: UploadRow, job: JobRow | null): UploadState {
  if (upload.ended_at === null) return 'receiving';
  if (upload.job_id === null) return 'failed';
  // Old jobs are removed before uploads are.
  if (job === null || job.state === 'done') return 'available';
  return job.state === 'failed' || job.state === 'cancelled' ? 'failed' : 'registering';
}
