import { mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { HttpProblem } from '../../common/problem.ts';
import { JobFailed, parametersOf, type Work } from '../../jobs/job-work.ts';
import type { NewJob } from '../../jobs/jobs-store.ts';
import { copyOne, copyPayload, type PayloadDeps } from './export-payload.ts';
import { absolutePathOf } from '../storage/file-storage.ts';
import { reachedThroughSymlink, faultIn } from '../storage/file-errors.ts';
import type { FileRow } from '../store/files-store.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import { isExactlyRegistered } from './stage-compare.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { DiskSpaceMonitor } from '../../database/disk-space.ts';

interface StageParameters {
  readonly index: number | null;
  readonly target: string;
  readonly partial: string;
}

export type StageResult = { readonly path: string; readonly job: null } | { readonly path: null; readonly job: NewJob };

/**
 * Provides a path that can be dragged out of the window. A referenced measurement is used in place;
 * library files, and files among others, are copied first. Copies rather than links, because the
 * receiving program may modify them.
 *
 * @throws HttpProblem when there is nothing to drag.
 */
export async function stage(
  services: Pick<MeasurementStores, 'measurements' | 'files'> & {
    readonly paths: DataPaths;
    readonly diskSpace: DiskSpaceMonitor;
  },
  measurementId: string,
  index: number | null,
  userId: number | null,
): Promise<StageResult> {
  const measurement = await services.measurements.byId(measurementId);
  if (!measurement || measurement.state === 'registering') throw new HttpProblem(404, 'There is no such measurement.');
  // A measurement with a single file is dragged as that file.
  const single = index === null && measurement.file_count === 1 ? 0 : index;
  const row = single === null ? null : await services.files.at(measurementId, single);
  if (single !== null && !row) throw new HttpProblem(404, 'There is no such file.');
  const target = path.join(
    services.paths.staging,
    measurementId,
    row ? `file-${row.idx}` : 'all',
    row ? path.posix.basename(row.path) : measurementId,
  );
  if (await isReady(measurement, target, row)) return { path: target, job: null };
  const inPlace = await pathInPlace(services, measurement, row);
  if (inPlace !== null) return { path: inPlace, job: null };
  await services.diskSpace.require('Nothing is prepared for dragging');
  const partial = path.join(services.paths.staging, `${measurementId}.${randomBytes(4).toString('hex')}.partial`);
  return { path: null, job: { kind: 'stage', measurementId, userId, parameters: { index: single, target, partial } } };
}

// A staged folder is renamed only after all its files were verified.
async function isReady(measurement: MeasurementRow, target: string, row: FileRow | null): Promise<boolean> {
  try {
    const stats = await stat(target);
    return row ? stats.size === row.length : stats.isDirectory() && measurement.file_count > 0;
  } catch {
    return false;
  }
}

async function pathInPlace(
  services: Pick<MeasurementStores, 'files'> & { readonly paths: DataPaths },
  measurement: MeasurementRow,
  row: FileRow | null,
): Promise<string | null> {
  if (measurement.storage !== 'reference') return null;
  if (!row) return (await isExactlyRegistered(services, measurement)) ? measurement.root : null;
  const file = absolutePathOf(services.paths, measurement, row);
  try {
    // The receiving program opens this path: a symbolic link in it could lead to any other file of
    // the owner.
    const linked = (await realpath(file)) !== file;
    const fault = linked ? null : faultIn(row, await stat(file, { bigint: true }));
    if (!linked && !fault) return file;
    // A copy is made, which is compared with the registration.
    if (fault?.state === 'unchecked') return null;
    throw new HttpProblem(409, `${row.path} is not what was registered: ${fault?.message ?? reachedThroughSymlink}.`, {
      type: 'file-changed',
    });
  } catch (error) {
    if (error instanceof HttpProblem) throw error;
    throw new HttpProblem(404, `${row.path} was registered but is now missing.`, {
      type: 'file-missing',
      cause: error,
    });
  }
}

/**
 * Copies the files to be dragged into the staging folder and compares them with the registration.
 */
export const stageWork: Work<Pick<MeasurementStores, 'measurements'> & PayloadDeps> = {
  resumable: false,
  run: async (services, context) => {
    const { index, target, partial } = parametersOf(context.job) as StageParameters;
    const measurement = await services.measurements.byId(context.job.measurement_id);
    if (!measurement) throw new JobFailed('The measurement was removed.');
    const row = index === null ? null : await services.files.at(measurement.id, index);
    context.report({
      filesTotal: row ? 1 : measurement.file_count,
      bytesTotal: row?.length ?? measurement.total_bytes,
      message: 'Preparing the files',
    });
    await mkdir(path.dirname(partial), { recursive: true, mode: 0o700 });
    if (row) await copyOne(services, context, measurement, row, partial);
    else {
      await mkdir(partial);
      await copyPayload(services, context, measurement, partial);
    }
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    await rm(target, { recursive: true, force: true });
    await rename(partial, target);
    return { message: null, result: target };
  },
  discard: async (services, job) => {
    const { partial } = parametersOf(job) as StageParameters;
    if (path.dirname(partial) === services.paths.staging) await rm(partial, { recursive: true, force: true });
  },
  restarted: null,
};
