import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { activeJobStates } from '../../../../src-shared/states/job-states.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { JobStores } from '../../jobs/stores.ts';
import type { MeasurementStores } from '../store/stores.ts';
import { removeFiles, uploadsFolder } from './upload-files.ts';
import { uploadLifetimeMs } from './upload-shape.ts';

const batchSize = 1000;
/** A folder is made before its row. */
const minAgeMs = 3600_000;

/** Removes uploads to which nothing came for a week, and folders that no upload has. */
export async function expireUploads(
  deps: JobStores & Pick<MeasurementStores, 'uploads'> & { readonly paths: DataPaths },
  now = Date.now(),
): Promise<void> {
  for (const { id, job_id: jobId } of await deps.uploads.untouched(now - uploadLifetimeMs, batchSize)) {
    const job = jobId === null ? null : await deps.jobs.byId(jobId);
    // A registration that waits for space still needs what came.
    if (job !== null && activeJobStates.includes(job.state)) continue;
    await removeFiles(deps, id);
    await deps.uploads.remove(id);
  }
  for (const id of await readdir(uploadsFolder(deps)).catch(() => [])) {
    if ((await deps.uploads.byId(id)) !== null) continue;
    const found = await stat(path.join(uploadsFolder(deps), id)).catch(() => null);
    if (found !== null && now - found.mtimeMs > minAgeMs) await removeFiles(deps, id);
  }
}
