import { mkdir, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type * as yauzl from 'yauzl';
import { runningDigest } from '../files/file-digest.ts';
import { StartError } from '../common/start-error.ts';
import {
  certificateMembers,
  databaseMember,
  keyMember,
  type AboutBackup,
  type ReportProgress,
} from './backup-format.ts';
import { checkRestoredDatabase } from './check-restored-database.ts';
import { isObject, readAbout, unusable, withBackup } from './read-backup.ts';

export interface UnpackInput {
  readonly file: string;
  /** A new folder in an existing one. */
  readonly target: string;
  readonly report: ReportProgress;
  readonly signal: AbortSignal;
}

/**
 * Unpacks and verifies a backup. A failure leaves nothing behind.
 *
 * @throws StartError with a message for the user.
 */
export async function unpackBackup(input: UnpackInput): Promise<AboutBackup> {
  return withBackup(input.file, async (zip) => {
    try {
      await mkdir(input.target, { mode: 0o700 });
      const found = await unpack(zip, input.target, input);
      checkRestoredDatabase(path.join(input.target, databaseMember), input.file);
      return found;
    } catch (error) {
      await rm(input.target, { recursive: true, force: true });
      throw error;
    }
  });
}

async function unpack(zip: yauzl.ZipFile, work: string, input: UnpackInput): Promise<AboutBackup> {
  let found: AboutBackup | null = null;
  const { size: bytesTotal } = await stat(input.file);
  let bytesDone = 0;
  const onBytes = async (bytes: number): Promise<void> => {
    input.signal.throwIfAborted();
    bytesDone += bytes;
    // Members are uncompressed, so unpacked data cannot exceed the archive unless members overlap,
    // by which a small file could fill any disk.
    if (bytesDone > bytesTotal)
      throw unusable(`${input.file} contains more than its stated length, so it is not a valid backup.`);
    await input.report({ bytesDone, bytesTotal });
  };
  for await (const entry of zip.eachEntry()) {
    input.signal.throwIfAborted();
    if (!found) {
      found = await readAbout(zip, entry, input.file);
      continue;
    }
    const place = memberPath(entry.fileName);
    // Backups are uncompressed, so a compressed member is foreign and may be a ZIP bomb.
    if (place !== null && entry.compressionMethod !== 0)
      throw unusable(`${entry.fileName} in ${input.file} is compressed, so it is not a valid backup.`);
    if (place === null)
      throw unusable(
        `${input.file} contains ${JSON.stringify(entry.fileName.slice(0, 200))}, which is not part of a backup.`,
      );
    await unpackEntry(zip, entry, path.join(work, place), input, onBytes);
  }
  if (!found) throw unusable(`${input.file} is not a backup of Benchport: it is empty.`);
  return found;
}

const members: readonly string[] = [databaseMember, keyMember, ...certificateMembers];

/** Only known names are accepted; no other name becomes a path. */
function memberPath(name: string): string | null {
  return members.includes(name) || isObject(name) ? name : null;
}

async function unpackEntry(
  zip: yauzl.ZipFile,
  entry: yauzl.Entry,
  target: string,
  input: UnpackInput,
  onBytes: (bytes: number) => Promise<void>,
): Promise<void> {
  const damaged = (reason: string, cause?: unknown): StartError =>
    unusable(`${entry.fileName} in ${input.file} is damaged: ${reason}`, cause);
  const folder = path.dirname(target);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const digest = runningDigest();
  const handle = await open(target, 'wx', 0o600);
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      digest.update(chunk as Buffer);
      await handle.writeFile(chunk as Buffer);
      await onBytes((chunk as Buffer).length);
    }
    const { crc32, sha256 } = digest.finish();
    if (crc32 !== entry.crc32) throw damaged('its checksum is not the one that was written down');
    if (isObject(entry.fileName)) {
      if (path.basename(target) !== Buffer.from(sha256).toString('hex'))
        throw damaged('its content does not belong to its name');
      // The library stores times in whole seconds and files as read-only.
      const seconds = Math.floor(entry.getLastModDate({ timezone: 'UTC' }).getTime() / 1000);
      await handle.utimes(seconds, seconds);
      await handle.chmod(0o444);
    }
    await handle.sync();
  } catch (error) {
    input.signal.throwIfAborted();
    if (error instanceof StartError || (error instanceof Error && 'syscall' in error)) throw error;
    throw damaged(error instanceof Error ? error.message : String(error), error);
  } finally {
    await handle.close();
  }
}
