import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { FileRow } from '../store/files-store.ts';
import type { MeasurementStores } from '../store/stores.ts';

const rowsPerSlice = 500;

/** Writes a new text file in chunks and syncs it. @returns its SHA-256. */
export async function writeText(file: string, pieces: AsyncIterable<string> | Iterable<string>): Promise<string> {
  const hash = createHash('sha256');
  const handle = await open(file, 'wx', 0o644);
  try {
    for await (const piece of pieces) {
      hash.update(piece);
      await handle.writeFile(piece);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return hash.digest('hex');
}

/** Yields the files of a measurement in batches. */
export async function* fileSlices(
  services: Pick<MeasurementStores, 'files'>,
  measurementId: string,
): AsyncGenerator<readonly FileRow[]> {
  for (let index = 0; ;) {
    const rows = await services.files.from(measurementId, index, rowsPerSlice);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    index = last.idx + 1;
    await new Promise(setImmediate);
  }
}
