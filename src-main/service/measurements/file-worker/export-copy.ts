import { closeSync, futimesSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { hashFile } from './hash-file.ts';
import type { Reading, CopyItem, FileOutcome } from '../../files/hash-messages.ts';
import { isNoSpace } from '../../files/register-failures.ts';
import { notAsRegistered, requireTargetName, TargetError, targetErrorOf } from './export-target.ts';
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

function copyFile(item: CopyItem, reading: Reading): FileOutcome {
  const fd = openTarget(item);
  try {
    const read = hashFile(item, reading, sinkTo(fd));
    if (read.length !== item.length || read.crc32 !== item.crc32 || read.sha256 !== item.sha256) {
      return { index: item.index, failed: 'damaged', reason: notAsRegistered };
    }
    const seconds = Math.floor(Number(BigInt(item.mtimeNs) / 1_000_000_000n));
    futimesSync(fd, seconds, seconds);
    fsyncSync(fd);
    return { index: item.index, ...read, location: null, healed: false };
  } finally {
    closeSync(fd);
  }
}

function openTarget({ target }: CopyItem): number {
  requireTargetName(target);
  try {
    mkdirSync(path.dirname(target), { recursive: true });
    return openSync(target, 'wx+', 0o644);
  } catch (error) {
    throw targetErrorOf(error);
  }
}
