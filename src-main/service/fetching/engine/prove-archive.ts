import { closeSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import path from 'node:path';
import { ArchiveError } from './archive-error.ts';
import { FetchFailure, type FetchContext } from './fetch-context.ts';
import { archiveName } from './list-files.ts';
import type { ReadManifest } from './manifest-types.ts';
import { targetError } from './target-folder-error.ts';

const takenTwice = 'The archive has gone from its folder twice before it was proven. Look for a program that moves or removes files there, and then try again.';

/**
 * Unpacks an archive, or proves it as it is: its members have checksums, the archive itself has none.
 *
 * @returns false when it is to be fetched once more: it was damaged, or has gone before everything was unpacked, for the first time.
 * @throws ArchiveError or FetchFailure for the second time: what spoils it or takes it away each time would have it fetched for ever.
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
    if (await beginAnew(context)) {
      await journal.log(plan.id, 'warn', 'The archive is no longer there. It is fetched once more.');
      return false;
    }
    throw await failed(context, new FetchFailure('target-unwritable', takenTwice));
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
    if (await beginAnew(context)) {
      await journal.log(plan.id, 'warn', `${error.message} It is fetched once more.`);
      return false;
    }
    throw await failed(context, new ArchiveError(`Fetched twice, and wrong twice: ${error.message}`));
  }
}

function isThere({ target }: FetchContext, name: string): boolean {
  const fd = target.openFinished(name);
  if (fd !== null) closeSync(fd);
  return fd !== null;
}

/** What is known of the archive is what had come of it: the next one is not compared with that. @returns whether it is the first time. */
async function beginAnew({ plan, journal, counters }: FetchContext): Promise<boolean> {
  await journal.record(plan.id, [{ kind: 'restart', index: 0, counts: true, forgets: true }]);
  Object.assign(counters, await journal.standing(plan.id));
  const [file] = await journal.openFiles(plan.id, -1, 1);
  return file !== undefined && file.restarts <= 1;
}

async function failed<Failure extends ArchiveError | FetchFailure>({ plan, journal }: FetchContext, failure: Failure): Promise<Failure> {
  await journal.record(plan.id, [{ kind: 'failed', index: 0, reason: failure.reason, message: failure.message }]);
  return failure;
}

async function remove({ target }: FetchContext, name: string): Promise<void> {
  try {
    await unlink(path.join(target.folder, name));
  } catch (error) {
    throw targetError(error, name);
  }
}
