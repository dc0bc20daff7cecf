import { closeSync } from 'node:fs';
import { ArchiveError } from './archive-error.ts';
import { FetchFailure, type FetchContext } from './fetch-context.ts';
import { archiveName } from './list-files.ts';
import type { ReadManifest } from '../manifest/manifest-types.ts';
import { partialName } from '../target/safe-path.ts';
import { inTheWay, TargetError } from '../../../files/target-folder-error.ts';
import type { Target } from '../target/target.ts';

const usedTwice =
  'The archive disappeared from its folder twice before it was verified. Look for a program that moves or removes files there, then try again.';

/**
 * Unpacks an archive, or verifies it in place by the checksums of its members; it has none of its
 * own. Until then it keeps its partial name.
 *
 * @returns false if the archive must be fetched again, because it was damaged or missing for the
 * first time.
 * @throws ArchiveError or FetchFailure the second time, because a recurring cause would repeat the
 * download forever; TargetError.
 */
export async function verifyArchive(context: FetchContext, manifest: ReadManifest): Promise<boolean> {
  const { plan, target, counters, signal, journal } = context;
  const name = await archivePath(context);
  const work = { signal, onBytes: (bytes: number) => void (counters.bytesVerified += bytes), onFile: () => {} };
  // Loaded on demand, because nearly all fetches are of files.
  const { checkArchive, isUnpacked, unpackArchive } = await import('./unpack-archive.ts');
  counters.phase = plan.unpack ? 'unpacking' : 'verifying';
  counters.bytesVerified = 0;
  counters.verifies = true;
  // First, because `reopen` takes back a final name that is not in the journal.
  const isOurs = isThere(target.reopen(name));
  if (!isOurs && !isThere(target.openFinished(name))) {
    // The previous run may have ended after unpacking everything and removing the archive.
    if (plan.unpack && (await isUnpacked(target, manifest, work))) return true;
    if (await restart(context)) {
      await journal.log(plan.id, 'warn', 'The archive is no longer there. It is fetched again.');
      return false;
    }
    throw await failed(context, manifest, new FetchFailure('target-unwritable', usedTwice));
  }
  try {
    const file = isOurs ? partialName(name) : name;
    if (plan.unpack) await unpackArchive(target, file, manifest, work);
    else await checkArchive(target, file, manifest, work);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    // The file was there before this fetch, or was changed after its verification.
    if (!isOurs) throw inTheWay(name, `another file already has this name. ${error.message}`);
    target.discard(name);
    if (await restart(context)) {
      await journal.log(plan.id, 'warn', `${error.message} It is fetched again.`);
      return false;
    }
    throw await failed(context, manifest, new ArchiveError(`Fetched twice, and wrong both times: ${error.message}`));
  }
  if (isOurs) await keep(target, name, plan.unpack);
  return true;
}

/** The name in the journal, which is another one where its own was taken. */
async function archivePath({ plan, journal }: FetchContext): Promise<string> {
  const [file] = await journal.doneFiles(plan.id, -1, 1);
  return file?.path ?? archiveName(plan.measurementId);
}

/** @param fd is closed */
function isThere(fd: number | null): boolean {
  if (fd !== null) closeSync(fd);
  return fd !== null;
}

/** Gives a verified archive its final name, or removes it if it was unpacked. */
async function keep(target: Target, name: string, isUnpacked: boolean): Promise<void> {
  if (isUnpacked) return target.discard(name);
  target.finish(name);
  await target.sync();
}

/**
 * Discards the archive, together with the length and checksums of what was received: the next one
 * is not compared with them.
 *
 * @returns whether this is the first restart.
 */
async function restart({ plan, journal, counters }: FetchContext): Promise<boolean> {
  await journal.record(plan.id, [{ kind: 'restart', index: 0, counts: true, forgets: true }]);
  Object.assign(counters, await journal.standing(plan.id));
  const [file] = await journal.openFiles(plan.id, -1, 1);
  return file !== undefined && file.restarts <= 1;
}

async function failed<Failure extends ArchiveError | FetchFailure>(
  context: FetchContext,
  manifest: ReadManifest,
  failure: Failure,
): Promise<Failure> {
  const { plan, journal } = context;
  if (plan.unpack) discardMembers(context, manifest);
  await journal.record(plan.id, [{ kind: 'failed', index: 0, reason: failure.reason, message: failure.message }]);
  return failure;
}

/**
 * A run killed while unpacking may have left partial members; without the archive only the manifest
 * has their names.
 */
function discardMembers({ target }: FetchContext, { files }: ReadManifest): void {
  for (const { path, refusal } of files) {
    try {
      if (refusal === null) target.discard(path);
    } catch (error) {
      if (!(error instanceof TargetError)) throw error;
    }
  }
}
