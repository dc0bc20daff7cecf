import type { Logger } from 'pino';
import type { AccountStores } from '../../accounts/store/stores.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { JobRow } from '../../jobs/jobs-store.ts';
import type { JobStores } from '../../jobs/stores.ts';
import type { ObjectStorage } from '../../object-storage/object-storage.ts';
import { reaches } from '../../projects/require-role.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import { registrationOfReceived } from '../registration/register.ts';
import { timesOf } from '../store/file-times.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { UploadRow } from '../store/uploads-store.ts';
import { idTaken } from './create-upload.ts';
import { clearUpload, type ClearUploadDeps } from './direct/clear-upload.ts';
import { bodyKey, manifestKeyOf } from './direct/upload-objects.ts';
import { fileOf, removeFiles } from './upload-files.ts';

export interface FinishUploadDeps
  extends
    JobStores,
    Pick<MeasurementStores, 'uploads' | 'registrations' | 'measurements' | 'grants'>,
    Pick<ProjectStores, 'projects'>,
    Pick<AccountStores, 'users'> {
  readonly paths: DataPaths;
  readonly log: Logger;
  readonly objectStorage: ObjectStorage | null;
  readonly jobRunner: JobRunner;
}

/**
 * Has what came registered, once: called again after a kill, it finds the registration.
 *
 * @throws HttpProblem 409 when a measurement has got this id meanwhile; nothing is left then.
 */
export async function finishUpload(deps: FinishUploadDeps, upload: UploadRow): Promise<void> {
  const file = upload.object_key === null ? fileOf(deps, upload) : sourceKeyOf(upload);
  const job = (await begin(deps, upload, file)) ?? (await running(deps, upload, file));
  if (job === null) {
    const problem = idTaken(upload.measurement_id);
    await failUpload(deps, upload, problem.message);
    throw problem;
  }
  if (upload.project_id !== null) await grantToProject(deps, upload, upload.project_id);
  await deps.uploads.finish(upload.id, job.id, Date.now());
}

/** Nothing of it is left but its row, which says why. */
export async function failUpload(deps: LeftOfUploadDeps, upload: UploadRow, problem: string): Promise<void> {
  await deps.uploads.fail(upload.id, problem, Date.now());
  await removeLeft(deps, upload);
}

export type LeftOfUploadDeps = ClearUploadDeps & { readonly log: Logger };

/**
 * Removes the bytes of an upload that ends. What the object storage does not remove now is removed
 * later, because the row stays.
 *
 * @returns whether nothing is left.
 */
export async function removeLeft(deps: LeftOfUploadDeps, upload: UploadRow): Promise<boolean> {
  await removeFiles(deps, upload.id);
  if (upload.object_key === null) return true;
  try {
    await clearUpload(deps, upload);
    return true;
  } catch (error) {
    deps.log.warn({ err: error, upload: upload.id }, 'parts of an upload are not removed yet');
    return false;
  }
}

function sourceKeyOf({ id, archive_tag: tag }: UploadRow): string {
  return tag === null ? bodyKey(id) : manifestKeyOf(id);
}

async function begin(deps: FinishUploadDeps, upload: UploadRow, file: string): Promise<JobRow | null> {
  const job = await registrationOfReceived(deps, {
    path: file,
    id: upload.measurement_id,
    title: upload.title,
    ownerId: upload.owner_id,
    archive:
      upload.archive_tag === null
        ? null
        : {
            tag: upload.archive_tag,
            files: upload.file_count ?? 0,
            times: timesOf({ began: upload.files_from, ended: upload.files_to }),
          },
    upload: upload.object_key === null ? null : upload.id,
  });
  return job && deps.jobRunner.enqueue(job);
}

/** The registration that began before a kill. @throws HttpProblem 503 when its job was not stored. */
async function running(deps: FinishUploadDeps, upload: UploadRow, file: string): Promise<JobRow | null> {
  const measurement = await deps.measurements.byId(upload.measurement_id);
  if (measurement?.root !== file) return null;
  const job = (await deps.jobs.ofMeasurement(upload.measurement_id)).findLast(({ kind }) => kind === 'register');
  if (job) return job;
  throw new HttpProblem(503, 'Its registration has not begun. Try again in some minutes.', {
    headers: { 'retry-after': '60' },
  });
}

async function grantToProject(deps: FinishUploadDeps, upload: UploadRow, projectId: number): Promise<void> {
  const owner = await deps.users.byId(upload.owner_id);
  const role = owner?.is_admin === 1 ? 'owner' : await deps.projects.roleOf(projectId, upload.owner_id);
  if (reaches(role, 'developer')) await deps.grants.grant(upload.measurement_id, { projectId }, null, upload.owner_id);
}
