import { closeSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import path from 'node:path';
import { ArchiveError } from './archive-error.ts';
import type { FetchContext } from './fetch-context.ts';
import { archiveName } from './list-files.ts';
import type { ReadManifest } from './manifest-types.ts';
import { targetError } from './target-folder-error.ts';

/**
 * Unpacks an archive, or proves it as it is: its members have checksums, the archive itself has none.
 *
 * @returns false when it is to be fetched once more: it was damaged for the first time, or it has gone before everything was unpacked.
 * @throws ArchiveError when it was damaged for the second time
 */
export async function proveArchive(context: FetchContext, manifest: ReadManifest): Promise<boolean> {
  const { plan, target, counters, signal, journal } = context;
  const name = archiveName(plan.measurementId);
  const work = { signal, onBytes: (bytes: number) => void (counters.bytesVerified += bytes), onFile: () => {} };
  // Loaded only here: nearly all fetches are of files.
  const { checkArchive, isUnpacked, unpackArchive } = await import('./unpack-archive.ts');
  counters.phase = plan.unpack ? 'unpacking' : 'verifying';
  counters.bytesVerified = 0;
  if (!isThere(context, name)) {
    // The run before may have ended when everything was unpacked and the archive removed.
    if (plan.unpack && (await isUnpacked(target, manifest, work))) return true;
    await beginAnew(context, false);
    await journal.log(plan.id, 'warn', 'The archive is no longer there. It is fetched once more.');
    return false;
  }
  try {
    if (!plan.unpack) await checkArchive(target, name, manifest, work);
    else {
      await unpackArchive(target, name, manifest, work);
      await remove(context, name);
    }
    return true;
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    await remove(context, name);
    await beginAnew(context, true);
    const [file] = await journal.openFiles(plan.id, -1, 1);
    if (file && file.restarts <= 1) {
      await journal.log(plan.id, 'warn', `${error.message} It is fetched once more.`);
      return false;
    }
    const twice = new ArchiveError(`Fetched twice, and wrong twice: ${error.message}`);
    await journal.record(plan.id, [{ kind: 'failed', index: 0, reason: twice.reason, message: twice.message }]);
    throw twice;
  }
}

function isThere({ target }: FetchContext, name: string): boolean {
  const fd = target.openFinished(name);
  if (fd !== null) closeSync(fd);
  return fd !== null;
}

/** What is known of the archive is what had come of it: the next one is not compared with that. */
async function beginAnew({ plan, journal, counters }: FetchContext, counts: boolean): Promise<void> {
  await journal.record(plan.id, [{ kind: 'restart', index: 0, counts, forgets: true }]);
  Object.assign(counters, await journal.standing(plan.id));
}

async function remove({ target }: FetchContext, name: string): Promise<void> {
  try {
    await unlink(path.join(target.folder, name));
  } catch (error) {
    throw targetError(error, name);
  }
}
