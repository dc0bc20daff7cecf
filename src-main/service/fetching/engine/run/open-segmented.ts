import { closeSync, fstatSync } from 'node:fs';
import { digestFault } from '../checksums/check-existing.ts';
import type { FetchContext } from './fetch-context.ts';
import { digestWhole } from '../checksums/incremental-hash.ts';
import { bytesIn } from '../pieces.ts';
import { SegmentedFile } from './segmented-file.ts';
import type { FileCommitter } from './commit-files.ts';
import { inTheWay, targetError } from '../../../files/target-folder-error.ts';
import type { JournalFile } from '../types.ts';

/**
 * Opens a file to resume or start its download.
 *
 * @param onChange is called when connections may take segments that were unavailable before.
 * @returns null if a correct file already exists.
 * @throws TargetError
 */
export async function openSegmented(
  context: FetchContext,
  committer: FileCommitter,
  file: JournalFile,
  onChange: () => void,
): Promise<SegmentedFile | null> {
  const { target, journal, plan, counters } = context;
  const pieces = file.state === 'partial' ? await journal.pieces(plan.id, file.index) : [];
  if (await isThere(context, committer, file, bytesIn(pieces))) return null;
  const fd = pieces.length === 0 ? null : target.reopen(file.path);
  const last = pieces.at(-1)?.[1] ?? 0;
  if (fd !== null && fstatSync(fd).size >= last && last <= (file.length ?? last))
    return new SegmentedFile(context, file, fd, pieces, onChange);
  if (fd !== null) closeSync(fd);
  if (pieces.length > 0) {
    await journal.record(plan.id, [{ kind: 'restart', index: file.index, counts: false }]);
    await journal.log(
      plan.id,
      'warn',
      `The fetched part of ${file.path} is no longer there; it is fetched from the start.`,
    );
    counters.bytesDone -= bytesIn(pieces);
  }
  return new SegmentedFile(context, { ...file, etag: null }, target.create(file.path), [], onChange);
}

/**
 * Checks the final name: the user may have put a file there, or the previous run ended between the
 * rename and the journal entry.
 */
async function isThere(
  { target, hasher, signal }: FetchContext,
  committer: FileCommitter,
  file: JournalFile,
  counted: number,
): Promise<boolean> {
  const fd = target.openFinished(file.path);
  if (fd === null) return false;
  try {
    const { size } = fstatSync(fd);
    if (file.length === null || size !== file.length) throw inTheWay(file.path, 'another file already has this name');
    const digest = await digestWhole(hasher, fd, signal);
    if (digestFault(file, digest) !== null) throw inTheWay(file.path, 'another file already has this name');
    target.discard(file.path);
    await committer.skip(file, digest, counted);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    throw targetError(error, file.path);
  } finally {
    closeSync(fd);
  }
}
