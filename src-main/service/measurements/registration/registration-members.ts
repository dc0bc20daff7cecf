import path from 'node:path';
import { JobFailed, type WorkContext } from '../../jobs/job-work.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { DiskSpaceMonitor } from '../../database/disk-space.ts';
import type { AdoptedFile } from '../../files/hash-messages.ts';
import type { HashThread } from '../file-worker/hash-thread.ts';
import type { RegistrationParameters } from './register.ts';
import { errorOfOutcome } from './registration-request.ts';
import { classifySourceError, diskFull } from './registration-source.ts';
import type { RegistrationWriter } from './registration-write.ts';

const filesPerBatch = 512;

/**
 * Takes the files of an upload into the library: they were verified as they came, and lie on the
 * same disk.
 */
export async function adoptMembers(
  services: { readonly paths: DataPaths; readonly diskSpace: DiskSpaceMonitor },
  context: WorkContext,
  thread: HashThread,
  parameters: RegistrationParameters,
  writer: RegistrationWriter,
): Promise<void> {
  context.report({ message: 'Taking the files into the library', filesTotal: parameters.fileCount ?? 0 });
  let next = adopt(services, thread, parameters, writer.count, filesPerBatch);
  try {
    for (;;) {
      const files = await next;
      if (files.length === 0) return;
      // The thread links the next batch while this one is stored.
      next = adopt(services, thread, parameters, writer.count + files.length, filesPerBatch);
      next.catch(() => undefined);
      context.signal.throwIfAborted();
      if (services.diskSpace.low) throw diskFull();
      const failed = files.findIndex(({ outcome }) => 'failed' in outcome);
      const good = files.slice(0, failed < 0 ? files.length : failed);
      await writer.write(good.flatMap(({ file, outcome }) => ('failed' in outcome ? [] : [{ file, digest: outcome }])));
      const bad = files[failed];
      if (bad) throw await errorOfOutcome(parameters, bad.file, bad.outcome);
    }
  } catch (error) {
    throw await classifySourceError(error, parameters);
  }
}

/** Takes one file into the library again, which another measurement's removal took away. */
export async function adoptAgain(
  services: { readonly paths: DataPaths },
  thread: HashThread,
  parameters: RegistrationParameters,
  index: number,
): Promise<AdoptedFile['outcome'] | undefined> {
  const [one] = await adopt(services, thread, parameters, index, 1);
  return one?.outcome;
}

/** The names of the files that were taken into the library are on disk afterwards. */
export async function syncMembers(thread: HashThread, parameters: RegistrationParameters): Promise<void> {
  if (parameters.kind !== 'members') return;
  try {
    await thread.syncAdopted();
  } catch (error) {
    throw await classifySourceError(error, parameters);
  }
}

/** @throws JobFailed when the archive is not that of the manifest that was uploaded. */
export function requireTag({ archiveTag }: RegistrationParameters, tag: string): void {
  if (archiveTag !== undefined && archiveTag !== tag)
    throw new JobFailed('Its files in the library are not those of its manifest. Upload it again.');
}

async function adopt(
  { paths }: { readonly paths: DataPaths },
  thread: HashThread,
  { path: manifest }: RegistrationParameters,
  from: number,
  limit: number,
): Promise<readonly AdoptedFile[]> {
  return thread.adopt({ folder: path.dirname(manifest), library: paths.library, from, limit });
}
