import type { DataPaths } from '../../common/data-paths.ts';
import type { ObjectStorage } from '../../object-storage/object-storage.ts';
import type { HashThread } from '../file-worker/hash-thread.ts';
import type { MeasurementStores } from '../store/stores.ts';
import { wrongFiles } from '../verification/verify-files.ts';
import type { RemovedRow } from './store/removed-rows.ts';
import type { RemovedStores } from './store/stores.ts';

const filesPerBatch = 256;
const rowsPerPage = 500;

export interface CheckRemovedDeps extends MeasurementStores, RemovedStores {
  readonly paths: DataPaths;
  readonly objectStorage: ObjectStorage | null;
}

/** The result of checking the removed measurements. */
export interface RemovedCheck {
  readonly checked: number;
  /** Those that could not be restored as they were registered. */
  readonly wrong: readonly { readonly number: number; readonly id: string; readonly files: readonly string[] }[];
  /** Those whose rows were being put aside or back, or that were restored or removed for good meanwhile. */
  readonly left_out: number;
}

/**
 * Reads the files of every removed measurement in the library or the object storage that can be
 * restored. Nothing is stored of it: nobody is shown these measurements, and restoring compares
 * nothing.
 *
 * @throws JobFailed when the storage does not answer; the signal's reason.
 */
export async function checkRemoved(
  deps: CheckRemovedDeps,
  thread: HashThread,
  bytesPerSecond: number | null,
  signal: AbortSignal,
): Promise<RemovedCheck> {
  const result = { checked: 0, wrong: [] as RemovedCheck['wrong'][number][], left_out: 0 };
  for (const row of await allRemoved(deps)) {
    if (row.storage !== 'library') continue;
    signal.throwIfAborted();
    const files = await wrongFilesOf(deps, thread, row, bytesPerSecond, signal);
    // Files that were deleted because it was purged while they were read are not missing.
    if (files === null || (await deps.removed.byNumber(row.id))?.stage !== 'kept') result.left_out += 1;
    else {
      result.checked += 1;
      if (files.length > 0) result.wrong.push({ number: row.id, id: row.measurement_id, files });
    }
  }
  return result;
}

/** All that can be restored, the newest first, read before anything is done because rows that go would move the pages. */
export async function allRemoved({ removed }: RemovedStores): Promise<readonly RemovedRow[]> {
  const all: RemovedRow[] = [];
  for (;;) {
    const { rows } = await removed.list({ ownerId: null, measurementId: null, limit: rowsPerPage, offset: all.length });
    all.push(...rows);
    if (rows.length < rowsPerPage) return all;
  }
}

const maxNamed = 20;

/** @returns the paths of the first wrong files; null when it is not kept now. */
async function wrongFilesOf(
  deps: CheckRemovedDeps,
  thread: HashThread,
  row: RemovedRow,
  bytesPerSecond: number | null,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  if (row.stage !== 'kept') return null;
  const measurement = await deps.measurements.byId(row.kept_id);
  if (!measurement) return null;
  const wrong: string[] = [];
  for (let index = 0; ;) {
    signal.throwIfAborted();
    const rows = await deps.files.from(row.kept_id, index, filesPerBatch);
    const last = rows.at(-1);
    if (!last) return wrong;
    const found = await wrongFiles(deps, thread, measurement, rows, bytesPerSecond, signal);
    wrong.push(...found.slice(0, maxNamed - wrong.length));
    index = last.idx + 1;
  }
}
