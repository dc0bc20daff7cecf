import { lstat, opendir } from 'node:fs/promises';
import path from 'node:path';
import { archiveName } from '../engine/run/list-files.ts';
import { partialName } from '../engine/target/safe-path.ts';
import type { FetchRow } from '../store/fetch-row.ts';

/** Bytes of what lies in the folder of an archive beside the archive itself: about what of it is unpacked already. 0 where it cannot be looked at. */
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
    // It changes meanwhile, or may not be looked at: then as much room is asked for as for all of it.
    return 0;
  }
  return sum;
}
