import { closeSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import path from 'node:path';
import { FetchFailure, type FetchContext } from './fetch-context.ts';
import { fetchFiles } from './fetch-files.ts';
import { archiveName, listFiles } from './list-files.ts';
import type { ReadManifest } from './manifest-types.ts';
import { targetError } from './target-folder-error.ts';
import { unpackArchive } from './unpack-archive.ts';

/**
 * Fetches what a plan says, from wherever the run before has come to: that is in the journal and on the disk.
 *
 * @throws what ended it before everything was there; see `outcomeOf`.
 */
export async function fetchRun(context: FetchContext): Promise<void> {
  const { plan, journal, counters } = context;
  Object.assign(counters, await journal.standing(plan.id));
  const { filesTotal, manifest } = await listFiles(context);
  await fetchFiles(context);
  const { filesDone } = await journal.standing(plan.id);
  if (filesDone < filesTotal) {
    const count = (filesTotal - filesDone).toLocaleString('en');
    throw new FetchFailure('files-failed', `${count} of ${filesTotal.toLocaleString('en')} ${filesTotal === 1 ? 'file' : 'files'} could not be fetched.`);
  }
  if (plan.unpack && manifest) await unpack(context, manifest);
}

async function unpack({ plan, target, counters, signal }: FetchContext, manifest: ReadManifest): Promise<void> {
  const name = archiveName(plan.measurementId);
  const fd = target.openFinished(name);
  // It was unpacked and removed already.
  if (fd === null) return;
  closeSync(fd);
  counters.phase = 'unpacking';
  counters.bytesVerified = 0;
  await unpackArchive(target, name, manifest, { signal, onBytes: (bytes) => void (counters.bytesVerified += bytes), onFile: () => {} });
  try {
    await unlink(path.join(target.folder, name));
  } catch (error) {
    throw targetError(error, name);
  }
}
