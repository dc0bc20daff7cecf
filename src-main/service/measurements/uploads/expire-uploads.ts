import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { activeJobStates } from '../../../../src-shared/states/job-states.ts';
import type { JobStores } from '../../jobs/stores.ts';
import type { UploadRow } from '../store/uploads-store.ts';
import { removeLostUploads } from './direct/lost-objects.ts';
import { removeLeft, type LeftOfUploadDeps } from './finish-upload.ts';
import { removeFiles, uploadsFolder } from './upload-files.ts';
import { uploadLifetimeMs } from './upload-shape.ts';

const batchSize = 1000;
/** A folder is made before its row. */
const minAgeMs = 3600_000;
/** Beyond the lifetime of uploads, for clocks that differ. */
const lostAfterMs = uploadLifetimeMs + 24 * 3600_000;
const listTimeoutMs = 60_000;

type Deps = JobStores & LeftOfUploadDeps;

/**
 * Removes uploads to which nothing came for a week, folders and objects that no upload has, and what
 * uploads that have ended left in the object storage.
 */
export async function expireUploads(deps: Deps, now = Date.now()): Promise<void> {
  for (const upload of await deps.uploads.untouched(now - uploadLifetimeMs, batchSize)) {
    // A registration that waits for space still needs what came.
    if (await isRegistering(deps, upload)) continue;
    if (await removeLeft(deps, upload)) await deps.uploads.remove(upload.id);
  }
  for (const upload of await deps.uploads.uncleared(batchSize))
    if (!(await isRegistering(deps, upload))) await removeLeft(deps, upload);
  for (const id of await readdir(uploadsFolder(deps)).catch(() => [])) {
    if ((await deps.uploads.byId(id)) !== null) continue;
    const found = await stat(path.join(uploadsFolder(deps), id)).catch(() => null);
    if (found !== null && now - found.mtimeMs > minAgeMs) await removeFiles(deps, id);
  }
  if (deps.objectStorage !== null)
    await removeLostUploads(deps, deps.objectStorage, now - lostAfterMs, AbortSignal.timeout(listTimeoutMs));
}

async function isRegistering({ jobs }: JobStores, { job_id: jobId }: UploadRow): Promise<boolean> {
  const job = jobId === null ? null : await jobs.byId(jobId);
  return job !== null && activeJobStates.includes(job.state);
}
