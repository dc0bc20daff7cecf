import path from 'node:path';
import { JobFailed, type WorkContext } from '../../jobs/job-work.ts';
import { absolutePathOf } from '../storage/file-storage.ts';
import type { FileRow } from '../store/files-store.ts';
import type { CopyItem, FileOutcome } from '../../files/hash-messages.ts';
import type { HashThread } from '../file-worker/hash-thread.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import type { MeasurementStores } from '../store/stores.ts';

const filesPerBatch = 128;
const bytesPerBatch = 64 * 1024 * 1024;

/** Copies the files of a measurement into a folder under their registered paths. */
export async function copyPayload(
  services: Pick<MeasurementStores, 'files'> & { readonly paths: DataPaths },
  context: WorkContext,
  thread: HashThread,
  measurement: MeasurementRow,
  folder: string,
): Promise<void> {
  let index = 0;
  let bytes = 0;
  for (;;) {
    await context.gate();
    const rows = batchOf(await services.files.from(measurement.id, index, filesPerBatch));
    const last = rows.at(-1);
    if (!last) {
      if (index < measurement.file_count) throw new JobFailed('The measurement was removed.');
      return;
    }
    const before = thread.bytes();
    const ticking = setInterval(() => context.report({ bytesDone: bytes + thread.bytes() - before }), 200);
    try {
      const items = rows.map((row) => copyItem(services, measurement, row, path.join(folder, ...row.path.split('/'))));
      refuseFailures(rows, await thread.run({ op: 'copy', items }));
    } finally {
      clearInterval(ticking);
    }
    index = last.idx + 1;
    bytes += rows.reduce((sum, row) => sum + row.length, 0);
    context.report({ filesDone: index, bytesDone: bytes });
  }
}

function batchOf(rows: readonly FileRow[]): readonly FileRow[] {
  let bytes = 0;
  const end = rows.findIndex((row) => (bytes += row.length) > bytesPerBatch);
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}

/** Builds the request to copy a file, with its expected checksums. */
export function copyItem(
  services: { readonly paths: DataPaths },
  measurement: MeasurementRow,
  row: FileRow,
  target: string,
): CopyItem {
  return {
    index: row.idx,
    file: absolutePathOf(services.paths, measurement, row),
    target,
    length: row.length,
    crc32: row.crc32,
    sha256: row.sha256.toString('hex'),
    mtimeNs: row.mtime_ns,
  };
}

/** @throws JobFailed with the names of the files that could not be copied. */
export function refuseFailures(rows: readonly FileRow[], outcomes: readonly FileOutcome[]): void {
  const found = new Map(outcomes.map((outcome) => [outcome.index, outcome]));
  const failures: string[] = [];
  for (const row of rows) {
    const outcome = found.get(row.idx);
    if (!outcome || ('failed' in outcome && outcome.failed === 'no-space'))
      throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
    if ('failed' in outcome) failures.push(`${row.path}: ${outcome.reason}`);
  }
  if (failures.length > 0)
    throw new JobFailed(
      `${failures.slice(0, 5).join('. ')}.${failures.length > 5 ? ` And ${failures.length - 5} more.` : ''}`,
    );
}
