import { closeSync, futimesSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../common/error-code.ts';
import { hashFile } from './hash-file.ts';
import type { Reading, CopyItem, FileOutcome } from '../../files/hash-messages.ts';
import { windowsTrouble } from '../../files/names.ts';
import { isNoSpace } from '../../files/register-failures.ts';
import { outcomeOfFailure } from './import-failures.ts';
import { sinkTo } from './import-file.ts';

/**
 * Copies registered files, compares the bytes with the registration, and syncs each file before
 * returning.
 */
export function copyFiles(items: readonly CopyItem[], reading: Reading): FileOutcome[] {
  const outcomes: FileOutcome[] = [];
  for (const item of items) {
    try {
      outcomes.push(copyFile(item, reading));
    } catch (error) {
      outcomes.push(
        error instanceof TargetError
          ? { index: item.index, failed: 'unreadable', reason: error.message }
          : outcomeOfFailure(item, error),
      );
      if (isNoSpace(error)) break;
    }
  }
  return outcomes;
}

/** The target file system cannot store the file under its name. */
class TargetError extends Error {}

function copyFile(item: CopyItem, reading: Reading): FileOutcome {
  const fd = openTarget(item);
  try {
    const read = hashFile(item, reading, sinkTo(fd));
    if (read.length !== item.length || read.crc32 !== item.crc32 || read.sha256 !== item.sha256) {
      return { index: item.index, failed: 'damaged', reason: 'it is not what was registered any more' };
    }
    const seconds = Math.floor(Number(BigInt(item.mtimeNs) / 1_000_000_000n));
    futimesSync(fd, seconds, seconds);
    fsyncSync(fd);
    return { index: item.index, ...read, location: null, healed: false };
  } finally {
    closeSync(fd);
  }
}

function openTarget(item: CopyItem): number {
  // On Windows a colon would open an alternate stream of another file, and a device name the
  // device, without an error.
  const problem = process.platform === 'win32' ? windowsTrouble(path.basename(item.target)) : null;
  if (problem !== null) throw new TargetError(problem);
  try {
    mkdirSync(path.dirname(item.target), { recursive: true });
    return openSync(item.target, 'wx+', 0o644);
  } catch (error) {
    const code = errorCode(error);
    if (isNoSpace(error)) throw error;
    if (code === 'EEXIST')
      throw new TargetError('the file system there takes its name for that of another file', { cause: error });
    if (['EINVAL', 'EILSEQ', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR'].includes(code))
      throw new TargetError(`the file system there cannot hold this name (${code})`, { cause: error });
    throw new TargetError(`it cannot be written there (${code})`, { cause: error });
  }
}
