import { startHashThread } from '../file-worker/hash-thread.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { MeasurementStores } from '../store/stores.ts';

/** Whether the folder of a measurement contains exactly its registered files. */
export async function isExactlyRegistered(
  services: Pick<MeasurementStores, 'files'>,
  measurement: MeasurementRow,
): Promise<boolean> {
  const thread = startHashThread();
  let index = 0;
  let same = true;
  try {
    // With no ignore list: files left out at registration must not be dragged along.
    const found = await thread.list({ kind: 'folder', path: measurement.root, ignoreList: [] }, async (files) => {
      const rows = await services.files.from(measurement.id, index, files.length);
      same &&= files.every(
        (file, at) =>
          rows[at]?.path === file.path && rows[at].length === file.length && rows[at].mtime_ns === file.mtimeNs,
      );
      index += files.length;
    });
    return same && index === measurement.file_count && found.refusals.total === 0;
  } catch {
    return false;
  } finally {
    await thread.close();
  }
}
