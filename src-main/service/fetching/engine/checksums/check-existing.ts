import { closeSync, fstatSync, read as readCallback, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { countOf } from '../../../common/count-of.ts';
import { grouped } from '../../../common/grouped.ts';
import { shownName } from '../../../files/inspect-findings.ts';
import { runningDigest, type FileDigest } from '../../../files/file-digest.ts';
import type { Target } from '../target/target.ts';
import { targetError } from '../../../files/target-folder-error.ts';
import type { JournalFile } from '../types.ts';

/** How a file differs from the manifest, with both values. */
export interface DigestFault {
  readonly reason: 'length-mismatch' | 'checksum-mismatch';
  readonly message: string;
}

type Promised = Pick<JournalFile, 'path' | 'length' | 'crc32' | 'sha256'>;

const read = promisify(readCallback);
// Small files are read synchronously: a hop to the thread pool costs more than the read.
const syncReadBytes = 128 * 1024;
const bufferBytes = 1024 * 1024;

/**
 * Computes both checksums of an open file.
 *
 * @param onBytes is called with the size of each part read.
 */
export async function digestFile(
  fd: number,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<FileDigest> {
  const digest = runningDigest();
  const { size } = fstatSync(fd);
  if (size < syncReadBytes) {
    const all = Buffer.allocUnsafe(syncReadBytes);
    const filled = readSync(fd, all, 0, all.length, 0);
    if (filled === size) {
      digest.update(all.subarray(0, filled));
      onBytes(filled);
      return digest.finish();
    }
  }
  // Double buffering: the next part is read while the current one is hashed.
  let [ready, coming] = [Buffer.allocUnsafeSlow(bufferBytes), Buffer.allocUnsafeSlow(bufferBytes)];
  let { bytesRead: filled } = await read(fd, ready, 0, bufferBytes, 0);
  for (let position = filled; filled > 0; position += filled) {
    signal.throwIfAborted();
    onBytes(filled);
    const next = read(fd, coming, 0, bufferBytes, position);
    digest.update(ready.subarray(0, filled));
    [ready, coming] = [coming, ready];
    filled = (await next).bytesRead;
  }
  return digest.finish();
}

/**
 * Compares a file with its manifest entry; null if they match. Values the manifest omits are not
 * compared.
 */
export function digestFault(file: Promised, found: FileDigest): DigestFault | null {
  if (file.length !== null && file.length !== found.length)
    return { reason: 'length-mismatch', message: lengthFault(file.path, found.length, file.length) };
  if (file.crc32 !== null && file.crc32 !== found.crc32) {
    return {
      reason: 'checksum-mismatch',
      message: `${shownName(file.path)} has the CRC-32 ${hex(found.crc32)} instead of ${hex(file.crc32)}.`,
    };
  }
  if (file.sha256 !== null && Buffer.compare(file.sha256, found.sha256) !== 0) {
    const message = `${shownName(file.path)} has the SHA-256 ${Buffer.from(found.sha256).toString('hex')} instead of ${Buffer.from(file.sha256).toString('hex')}.`;
    return { reason: 'checksum-mismatch', message };
  }
  return null;
}

/**
 * Checks an existing file under the final name. Without a checksum in the manifest, no file counts
 * as correct.
 *
 * @throws TargetError, or the signal's reason.
 */
export async function checkExisting(
  target: Target,
  file: Promised,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<
  | { readonly kind: 'absent' }
  | { readonly kind: 'right'; readonly digest: FileDigest }
  | { readonly kind: 'other'; readonly message: string }
> {
  const fd = target.openFinished(file.path);
  if (fd === null) return { kind: 'absent' };
  try {
    const other = (why: string) =>
      ({
        kind: 'other',
        message: `Another file already has this name. ${why} It is not replaced: move it away.`,
      }) as const;
    const { size } = fstatSync(fd);
    if (file.crc32 === null && file.sha256 === null)
      return other(`${shownName(file.path)} cannot be compared, because the server gives no checksum.`);
    // A different length proves a difference without reading the file.
    if (file.length !== null && size !== file.length) return other(lengthFault(file.path, size, file.length));
    const digest = await digestFile(fd, signal, onBytes);
    const fault = digestFault(file, digest);
    return fault === null ? { kind: 'right', digest } : other(fault.message);
  } catch (error) {
    signal.throwIfAborted();
    throw targetError(error, file.path);
  } finally {
    closeSync(fd);
  }
}

function lengthFault(path: string, found: number, length: number): string {
  return `${shownName(path)} has ${countOf(found, 'byte')} instead of ${grouped(length)}.`;
}

function hex(crc32: number): string {
  return crc32.toString(16).padStart(8, '0');
}
