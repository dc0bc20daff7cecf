import { mkdir, statfs } from 'node:fs/promises';
import { JobFailed, JobNeedsDiskSpace, type WorkContext } from '../../jobs/job-work.ts';
import type { HashThread } from '../file-worker/hash-thread.ts';
import { readIgnoreList } from '../file-worker/ignore-list.ts';
import type { Findings } from '../../files/inspect-findings.ts';
import { listRequest } from './registration-request.ts';
import { requireSignature, signatureOf } from './watched-source.ts';
import type { RegistrationParameters } from './register.ts';
import { sourceIdentity, classifySourceError } from './registration-source.ts';
import { quotaText } from '../store/quota-text.ts';
import { grouped } from '../../common/grouped.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { DiskSpaceMonitor } from '../../database/disk-space.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { SettingsStore } from '../../database/settings-store.ts';

/**
 * Stores the list of files of a registration in its frozen order. An interrupted plan is made again
 * from the start.
 */
export async function planRegistration(
  services: Pick<MeasurementStores, 'leftOut' | 'registrations' | 'quotas'> & {
    readonly paths: DataPaths;
    readonly diskSpace: DiskSpaceMonitor;
    readonly settings: SettingsStore;
  },
  context: WorkContext,
  thread: HashThread,
  parameters: RegistrationParameters,
): Promise<void> {
  const { job } = context;
  context.report({ message: 'Listing the files' });
  await dropPlan(services, job.id);
  const { inode, ...archive } = await sourceIdentity(parameters.path).catch(async (error: unknown) => {
    throw await classifySourceError(error, parameters);
  });
  let count = 0;
  if (parameters.kind === 'members' || parameters.kind === 'object')
    throw new Error('files of an upload are listed in its manifest');
  const { kind } = parameters;
  const ignoreList = await readIgnoreList(services.settings);
  const signature = signatureOf(parameters.watched);
  let summary;
  try {
    const request = listRequest({ ...parameters, kind }, ignoreList);
    summary = await thread.list(request, async (files) => {
      for (const file of files) signature?.add(file);
      await services.registrations.plan(job.id, count, files);
      count += files.length;
      context.report({ filesTotal: count });
    });
  } catch (error) {
    throw await classifySourceError(error, parameters);
  }
  // A share that is lost meanwhile is no reason to ask a person.
  if (summary.isChanging && parameters.watched !== undefined)
    throw new JobFailed('Files were gone while they were listed: it is still being written.', { code: 'changed' });
  if (summary.refusals.total > 0) {
    if (parameters.leaveOut !== true || summary.fileCount === 0)
      throw new JobFailed(refusalText(summary.refusals), { code: 'refused-names' });
    await services.leftOut.keep(job.measurement_id, summary.refusals.total, summary.refusals.shown);
  }
  requireSignature(parameters.watched, signature);
  context.report({ filesTotal: summary.fileCount, bytesTotal: summary.totalBytes });
  if (parameters.received === true) await checkQuota(services, job.measurement_id, summary.totalBytes);
  if (parameters.copy) await checkSpace(services, parameters, summary.totalBytes);
  await context.remember({
    planned: true,
    ignoreList,
    ...(parameters.kind === 'folder' ? { root: inode } : {}),
    ...(parameters.kind === 'zip' ? { archive } : {}),
  });
}

/** Removes the stored list of files of a registration. */
export async function dropPlan(services: Pick<MeasurementStores, 'registrations'>, jobId: number): Promise<void> {
  while (await services.registrations.dropPlan(jobId, 2000)) await new Promise(setImmediate);
}

/** The first names that cannot be registered, and how many others there are. */
export function refusalText(refusals: Findings): string {
  const first = refusals.shown.slice(0, 5).join('. ');
  return refusals.total > 5 ? `${first}. And ${grouped(refusals.total - 5)} more.` : `${first}.`;
}

/** An archive that was uploaded may hold more than its own length. @throws JobFailed */
export async function checkQuota(
  { quotas }: Pick<MeasurementStores, 'quotas'>,
  measurementId: string,
  bytes: number,
): Promise<void> {
  const exceeded = await quotas.reserve(measurementId, bytes);
  if (exceeded !== null) throw new JobFailed(quotaText(exceeded, bytes));
}

async function checkSpace(
  services: { readonly paths: DataPaths; readonly diskSpace: DiskSpaceMonitor },
  parameters: RegistrationParameters,
  bytes: number,
): Promise<void> {
  await mkdir(services.paths.library, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(services.paths.library);
  const free = bavail * bsize;
  if (bytes + services.diskSpace.minFreeBytes <= free) return;
  const text = `It needs ${megabytes(bytes)} MB in the library, its disk has ${megabytes(free)} MB free, and ${megabytes(services.diskSpace.minFreeBytes)} MB are kept free`;
  // An archive declares its own sizes, so one that is too large fails instead of waiting for space.
  if (parameters.kind === 'zip') throw new JobFailed(`${text}. Free some space and register it again.`);
  throw new JobNeedsDiskSpace(`${text}. Free some space; it then continues automatically.`, bytes);
}

/** Formats bytes as megabytes for a message. */
export function megabytes(bytes: number): string {
  return grouped(Math.ceil(bytes / 1_000_000));
}
