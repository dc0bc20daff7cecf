import { lstat, opendir } from 'node:fs/promises';
import path from 'node:path';
import { archiveName } from '../engine/run/list-files.ts';
import { partialName } from '../engine/target/safe-path.ts';
import type { FetchRow } from '../store/fetch-row.ts';

/**
 * Bytes in an archive's folder besides the archive itself, which approximates the unpacked part. 0
 * if the folder cannot be read.
 */
export async function unpackedBytes({
  target,
  measurement_id: id,
}: Pick<FetchRow, 'target' | 'measurement_id'>): Promise<number> {
  const archive = path.join(target, partialName(archiveName(id)));
  let sum = 0;
  try {
    for await (const entry of await opendir(target, { recursive: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (entry.isFile() && file !== archive) sum += (await lstat(file)).size;
    }
  } catch {
    // The folder changed meanwhile or cannot be read; assume that nothing is unpacked.
    return 0;
  }
  return sum;
}
