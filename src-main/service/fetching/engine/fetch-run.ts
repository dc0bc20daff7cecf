import { closeSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import path from 'node:path';
import { countOf } from '../../count-of.ts';
import { grouped } from '../../grouped.ts';
import { ArchiveError } from './archive-error.ts';
import { FetchFailure, type FetchContext } from './fetch-context.ts';
import { fetchFiles } from './fetch-files.ts';
import { archiveName, listFiles } from './list-files.ts';
import type { ReadManifest } from './manifest-types.ts';
import { targetError } from './target-folder-error.ts';

/**
 * Fetches what a plan says, from wherever the run before has come to: that is in the journal and on the disk.
 *
 * @throws what ended it before everything was there; see `outcomeOf`.
 */
export async function fetchRun(context: FetchContext): Promise<void> {
  const { plan, journal, counters } = context;
  Object.assign(counters, await journal.standing(plan.id));
  const { filesTotal, manifest } = await listFiles(context);
  await fetchAll(context, filesTotal);
  // Damaged once, it is fetched once more.
  if (manifest && !(await proveArchive(context, manifest))) {
    await fetchAll(context, filesTotal);
    await proveArchive(context, manifest);
  }
}

async function fetchAll(context: FetchContext, filesTotal: number): Promise<void> {
  await fetchFiles(context);
  const { filesDone } = await context.journal.standing(context.plan.id);
  if (filesDone === filesTotal) return;
  throw new FetchFailure('files-failed', `${grouped(filesTotal - filesDone)} of ${countOf(filesTotal, 'file')} could not be fetched.`);
}

/**
 * Unpacks an archive, or proves it as it is: its members have checksums, the archive itself has none.
 *
 * @returns false when it was damaged for the first time, and is to be fetched once more.
 * @throws ArchiveError for the second time
 */
async function proveArchive(context: FetchContext, manifest: ReadManifest): Promise<boolean> {
  const { plan, target, counters, signal, journal } = context;
  const name = archiveName(plan.measurementId);
  const fd = target.openFinished(name);
  // It was unpacked and removed already.
  if (fd === null) return true;
  closeSync(fd);
  const work = { signal, onBytes: (bytes: number) => void (counters.bytesVerified += bytes), onFile: () => {} };
  // Loaded only here: nearly all fetches are of files.
  const { checkArchive, unpackArchive } = await import('./unpack-archive.ts');
  counters.phase = plan.unpack ? 'unpacking' : 'verifying';
  counters.bytesVerified = 0;
  try {
    if (!plan.unpack) await checkArchive(target, name, manifest, work);
    else {
      await unpackArchive(target, name, manifest, work);
      await remove(context, name);
    }
    return true;
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    await journal.record(plan.id, [{ kind: 'restart', index: 0, counts: true }]);
    await remove(context, name);
    Object.assign(counters, await journal.standing(plan.id));
    const [file] = await journal.openFiles(plan.id, -1, 1);
    if (file && file.restarts <= 1) {
      await journal.log(plan.id, 'warn', `${error.message} It is fetched once more.`);
      return false;
    }
    await journal.record(plan.id, [{ kind: 'failed', index: 0, reason: error.reason, message: error.message }]);
    throw error;
  }
}

async function remove({ target }: FetchContext, name: string): Promise<void> {
  try {
    await unlink(path.join(target.folder, name));
  } catch (error) {
    throw targetError(error, name);
  }
}
