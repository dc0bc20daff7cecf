import { randomBytes } from 'node:crypto';
import { link, mkdir, realpath, rename, rm, rmdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import type { ExportFormat } from '../../contract/jobs.ts';
import { errorCode } from '../../common/error-code.ts';
import { HttpProblem } from '../../common/problem.ts';
import { JobFailed, JobStopped, parametersOf, type Work, type WorkContext } from '../../jobs/job-work.ts';
import type { JobRow, NewJob } from '../../jobs/jobs-store.ts';
import { writeBag } from './export-bagit.ts';
import { makePlace, removePlace } from './export-place.ts';
import type { ObjectExportDeps } from './export-object.ts';
import { copyPayload } from './export-payload.ts';
import { writeCrate } from './export-ro-crate.ts';
import { writeArchive } from './export-zip.ts';
import { failureText, isNoSpace } from '../../files/register-failures.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import { megabytes } from '../registration/registration-plan.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import { ownFolders } from '../storage/own-folders.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { AuditStores } from '../../audit/stores.ts';

interface ExportParameters {
  readonly directory: string;
  readonly format: ExportFormat;
  /** Temporary folder of the export, with a random name. */
  readonly partial: string;
}

const spare = 16 * 1024 * 1024;
// Estimate for the metadata of other formats, which take a few hundred bytes per file.
const bytesPerFile = 1024;

/**
 * Creates an export job, to be queued or run.
 *
 * @throws HttpProblem when the measurement does not exist or the folder cannot be used.
 */
export async function newExport(
  services: Pick<MeasurementStores, 'measurements'> & { readonly config: ServiceConfig },
  measurementId: string,
  userId: number | null,
  directory: string,
  format: ExportFormat,
): Promise<NewJob> {
  const measurement = await services.measurements.byId(measurementId);
  if (!measurement || measurement.state === 'registering') throw new HttpProblem(404, 'There is no such measurement.');
  const folder = await targetFolder(services, directory);
  const partial = path.join(folder, `${measurementId}.${randomBytes(4).toString('hex')}.partial`);
  return { kind: 'export', measurementId, userId, parameters: { directory: folder, format, partial } };
}

/**
 * Resolves the chosen folder without symbolic links.
 *
 * @throws HttpProblem when it is not a folder, or lies in the data directory.
 */
export async function targetFolder(services: { readonly config: ServiceConfig }, directory: string): Promise<string> {
  if (!path.isAbsolute(directory))
    throw new HttpProblem(422, 'Give the absolute path of a folder.', { type: 'bad-path' });
  try {
    const folder = await realpath(directory);
    if (!(await stat(folder)).isDirectory())
      throw new HttpProblem(422, `${directory} is not a folder.`, { type: 'bad-path' });
    const outside = (own: string) => {
      const inside = path.relative(own, folder);
      return inside.startsWith('..') || path.isAbsolute(inside);
    };
    if (!(await ownFolders(services.config)).every(outside))
      throw new HttpProblem(422, 'Choose a folder outside the data directory.', { type: 'data-directory' });
    return folder;
  } catch (error) {
    if (error instanceof HttpProblem) throw error;
    throw new HttpProblem(422, `${directory} cannot be written to: ${failureText(error)}.`, {
      type: 'bad-path',
      cause: error,
    });
  }
}

/**
 * Exports a measurement: all bytes are compared with the registration, nothing is overwritten, and
 * the final name appears only when the export is complete.
 */
export const exportWork: Work<
  Pick<MeasurementStores, 'measurements' | 'files' | 'blockSums' | 'leftOut'> &
    ObjectExportDeps &
    Pick<AuditStores, 'audit'> & {
      readonly config: ServiceConfig;
      readonly paths: DataPaths;
      readonly changes: ChangeCounter;
    }
> = {
  resumable: false,
  run: async (services, context) => {
    const { directory, format, partial } = parametersOf(context.job) as ExportParameters;
    const measurement = await services.measurements.byId(context.job.measurement_id);
    if (!measurement) throw new JobFailed('The measurement was removed.');
    context.report({
      filesTotal: measurement.file_count,
      bytesTotal: measurement.total_bytes,
      message: 'Copying the files',
    });
    try {
      await checkSpace(directory, measurement);
      const result = await writeIn(partial, async (work) => {
        await write(services, context, measurement, format, work);
        context.signal.throwIfAborted();
        await refuseRemoved(services, measurement.id);
        return renameToFinal(
          work,
          directory,
          format === 'zip' ? { stem: measurement.id, ending: '.zip' } : { stem: measurement.id, ending: '' },
        );
      });
      await services.audit.record({
        userId: context.job.user_id,
        action: 'measurement.export',
        subject: `measurement:${measurement.id}`,
        detail: `${format}: ${result}`,
      });
      return { message: null, result };
    } catch (error) {
      // A removal deletes files during the export; report the removal rather than the missing
      // files.
      if (!(error instanceof JobStopped)) await refuseRemoved(services, measurement.id);
      throw explained(error, directory);
    }
  },
  discard: removePartial,
  restarted: (services, job) => {
    const { directory, format } = parametersOf(job) as ExportParameters;
    return newExport(services, job.measurement_id, job.user_id, directory, format);
  },
};

async function refuseRemoved(services: Pick<MeasurementStores, 'measurements'>, id: string): Promise<void> {
  const measurement = await services.measurements.byId(id);
  if (!measurement || measurement.state === 'registering') throw new JobFailed('The measurement was removed.');
}

/** @param act Receives a path inside a new temporary folder. */
async function writeIn(partial: string, act: (work: string) => Promise<string>): Promise<string> {
  const place = await makePlace(partial);
  try {
    const result = await act(path.join(place.path, 'export'));
    // Empty now, unless the folder was replaced; rmdir fails on a folder with contents.
    await rmdir(partial).catch(() => {});
    return result;
  } finally {
    await place.close();
  }
}

async function write(
  services: Pick<MeasurementStores, 'files' | 'blockSums' | 'leftOut'> &
    ObjectExportDeps & {
      readonly config: ServiceConfig;
      readonly paths: DataPaths;
      readonly changes: ChangeCounter;
    },
  context: WorkContext,
  measurement: MeasurementRow,
  format: ExportFormat,
  partial: string,
): Promise<void> {
  if (format === 'zip') return writeArchive(services, context, measurement, partial);
  await mkdir(partial);
  const payload = format === 'folder' ? partial : path.join(partial, 'data');
  await mkdir(payload, { recursive: true });
  await copyPayload(services, context, measurement, payload);
  if (format === 'bagit') await writeBag(services, measurement, partial);
  if (format === 'ro-crate') await writeCrate(services, measurement, partial);
  return undefined;
}

async function checkSpace(directory: string, measurement: MeasurementRow): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  const needed = measurement.total_bytes + measurement.file_count * bytesPerFile + spare;
  if (needed <= bavail * bsize) return;
  throw new JobFailed(
    `It needs ${megabytes(needed)} MB, and the disk of ${directory} has ${megabytes(bavail * bsize)} MB free. Free some space, or choose another folder.`,
  );
}

/** Renames a finished export to its final name, with a number appended when that is taken. */
async function renameToFinal(
  partial: string,
  directory: string,
  name: { readonly stem: string; readonly ending: string },
): Promise<string> {
  const isFolder = (await stat(partial)).isDirectory();
  for (let number = 1; ; number += 1) {
    const target = path.join(directory, `${name.stem}${number === 1 ? '' : `-${number}`}${name.ending}`);
    try {
      if (isFolder) await nameFolder(partial, target);
      else await nameFile(partial, target);
      return target;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

// rename replaces an empty folder only, so one is created first: mkdir fails if the name is taken.
async function nameFolder(partial: string, target: string): Promise<void> {
  await mkdir(target);
  try {
    if (process.platform === 'win32') await rmdir(target);
    await rename(partial, target);
  } catch (error) {
    // rmdir only removes it while it is empty: files may have been added by another program.
    await rmdir(target).catch(() => {});
    throw error;
  }
}

async function nameFile(partial: string, target: string): Promise<void> {
  try {
    await link(partial, target);
    await rm(partial);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw error;
    // The file system has no hard links: check for the name, then rename, which is not atomic.
    const taken = await stat(target).then(
      () => true,
      () => false,
    );
    if (taken) throw Object.assign(new Error('taken', { cause: error }), { code: 'EEXIST' });
    await rename(partial, target);
  }
}

function explained(error: unknown, directory: string): unknown {
  if (isNoSpace(error))
    return new JobFailed(`The disk of ${directory} is full. Free some space, or choose another folder.`);
  const code = errorCode(error);
  if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM')
    return new JobFailed(`This user may not write to ${directory} (${code}). Choose another folder.`);
  if (code === 'ENOENT' || code === 'EIO' || code === 'EFBIG')
    return new JobFailed(`${directory} cannot be written to (${code}). Check its disk, or choose another folder.`);
  return error;
}

async function removePartial(_services: object, job: JobRow): Promise<void> {
  const { partial } = parametersOf(job) as ExportParameters;
  if (partial.endsWith('.partial')) await removePlace(partial);
}
