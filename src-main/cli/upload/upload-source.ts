import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { countOf } from '../../service/common/count-of.ts';
import { failureText } from '../../service/files/register-failures.ts';
import type { Bytes } from '../../service/upload-client/bytes.ts';
import { startHashThread, type HashThread } from '../../service/measurements/file-worker/hash-thread.ts';
import { defaultIgnoreList } from '../../../src-shared/ignore-patterns.ts';
import { CommandError } from '../support/terminal.ts';
import { archiveOf, type ArchiveMember } from './archive-bytes.ts';
import { fileBytes } from './bytes.ts';

const filesPerBatch = 512;

/** Always an archive. */
export interface UploadSource {
  readonly bytes: Bytes;
  readonly suggestedTitle: string;
  /** From which the archive follows; null for one that was there before, whose checksums are its own. */
  readonly members: readonly ArchiveMember[] | null;
}

/**
 * Reads what a path has: the files of a folder or a single file, of which the checksums are
 * computed, or an archive as it is.
 *
 * @param onRead told how many bytes were read, and of how many.
 * @throws CommandError when something cannot be read or uploaded.
 */
export async function readSource(
  given: string,
  signal: AbortSignal,
  onRead: (bytesDone: number, bytesTotal: number) => void,
): Promise<UploadSource> {
  const { root, isFolder, size } = await find(given);
  const name = path.basename(root);
  if (!isFolder && /\.zip$/i.test(name))
    return { bytes: fileBytes(root, size), suggestedTitle: name.replace(/\.zip$/i, ''), members: null };
  const thread = startHashThread(signal);
  try {
    const members = await membersOf(thread, root, isFolder, onRead);
    return { bytes: archiveOf(members), suggestedTitle: name, members };
  } finally {
    await thread.close();
  }
}

async function find(
  given: string,
): Promise<{ readonly root: string; readonly isFolder: boolean; readonly size: number }> {
  try {
    const root = await realpath(given);
    const found = await stat(root);
    if (!found.isDirectory() && !found.isFile()) throw new CommandError(`${given} is neither a folder nor a file.`, 2);
    return { root, isFolder: found.isDirectory(), size: found.size };
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${given} cannot be uploaded: ${failureText(error)}.`, 2);
  }
}

async function membersOf(
  thread: HashThread,
  root: string,
  isFolder: boolean,
  onRead: (bytesDone: number, bytesTotal: number) => void,
): Promise<readonly ArchiveMember[]> {
  const listed: { readonly path: string; readonly file: string; readonly length: number }[] = [];
  const kind = isFolder ? 'folder' : 'file';
  const base = isFolder ? root : path.dirname(root);
  const summary = await thread.list({ kind, path: root, ignoreList: defaultIgnoreList }, async (files) => {
    for (const { path: shown, source, length } of files)
      listed.push({ path: shown, file: path.join(base, source), length });
  });
  const { total, shown } = summary.refusals;
  if (total > 0)
    throw new CommandError(`${countOf(total, 'name')} cannot be uploaded: ${shown.slice(0, 3).join('. ')}.`);
  if (listed.length === 0) throw new CommandError('There are no files to upload.');
  const members: ArchiveMember[] = [];
  for (let at = 0; at < listed.length; at += filesPerBatch) {
    const batch = listed.slice(at, at + filesPerBatch);
    const items = batch.map(({ file }, index) => ({ index, file, linkFree: true }));
    const ticking = setInterval(() => onRead(thread.bytes(), summary.totalBytes), 200);
    try {
      const outcomes = await thread.run({ op: 'hash', bytesPerSecond: null, items });
      for (const outcome of outcomes.toSorted((a, b) => a.index - b.index)) {
        const one = batch[outcome.index];
        if (one === undefined) continue;
        if ('failed' in outcome) throw new CommandError(`${one.path}: ${outcome.reason}.`);
        const registeredAt = Number(BigInt(outcome.mtimeNs) / 1_000_000n);
        const { length, crc32, sha256 } = outcome;
        members.push({ path: one.path, file: one.file, length, crc32, sha256, registeredAt });
      }
    } finally {
      clearInterval(ticking);
    }
  }
  return members;
}
