import path from 'node:path';
import { JobFailed, type WorkContext } from '../../jobs/job-work.ts';
import { absolutePathOf } from '../storage/file-storage.ts';
import type { FileRow } from '../store/files-store.ts';
import type { CopyItem, FileOutcome } from '../../files/hash-messages.ts';
import { startHashThread } from '../file-worker/hash-thread.ts';
import { objectExportOf, type ObjectExport, type ObjectExportDeps } from './export-object.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { DataPaths } from '../../common/data-paths.ts';

const filesPerBatch = 128;
const bytesPerBatch = 64 * 1024 * 1024;

export type PayloadDeps = ObjectExportDeps & { readonly paths: DataPaths };

/** Copies some files, in order. @param onBytes is called with the bytes that were read. */
type CopyFiles = (
  items: readonly { readonly row: FileRow; readonly target: string }[],
  onBytes: (bytes: number) => void,
) => Promise<readonly FileOutcome[]>;

/**
 * Copies the files of a measurement into a folder under their registered paths, wherever they lie.
 *
 * @throws JobFailed for files that are not as registered, or when the object storage is away.
 */
export async function copyPayload(
  services: PayloadDeps,
  context: WorkContext,
  measurement: MeasurementRow,
  folder: string,
): Promise<void> {
  await withCopier(services, context, measurement, async (copy) => {
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
      const items = rows.map((row) => ({ row, target: path.join(folder, ...row.path.split('/')) }));
      const before = bytes;
      refuseFailures(rows, await copy(items, (more) => context.report({ bytesDone: before + more })));
      index = last.idx + 1;
      bytes += rows.reduce((sum, row) => sum + row.length, 0);
      context.report({ filesDone: index, bytesDone: bytes });
    }
  });
}

/** Copies one file of a measurement. @throws as {@link copyPayload}. */
export async function copyOne(
  services: PayloadDeps,
  context: WorkContext,
  measurement: MeasurementRow,
  row: FileRow,
  target: string,
): Promise<void> {
  await withCopier(services, context, measurement, async (copy) => {
    refuseFailures([row], await copy([{ row, target }], (bytesDone) => context.report({ bytesDone })));
  });
  context.report({ filesDone: 1, bytesDone: row.length });
}

async function withCopier(
  services: PayloadDeps,
  context: WorkContext,
  measurement: MeasurementRow,
  act: (copy: CopyFiles) => Promise<void>,
): Promise<void> {
  const exporting = objectExportOf(services, context, measurement);
  if (exporting) return act(async (items, onBytes) => copyFromObject(exporting, items, onBytes));
  const thread = startHashThread(context.signal);
  try {
    await act(async (items, onBytes) => {
      const before = thread.bytes();
      const ticking = setInterval(() => onBytes(thread.bytes() - before), 200);
      try {
        const copies = items.map(({ row, target }) => copyItem(services, measurement, row, target));
        return await thread.run({ op: 'copy', items: copies });
      } finally {
        clearInterval(ticking);
      }
    });
  } finally {
    await thread.close();
  }
  return undefined;
}

async function copyFromObject(
  exporting: ObjectExport,
  items: readonly { readonly row: FileRow; readonly target: string }[],
  onBytes: (bytes: number) => void,
): Promise<readonly FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  let bytes = 0;
  for (const { row, target } of items)
    outcomes.push(await exporting.copy(row, target, (more) => onBytes((bytes += more))));
  return outcomes;
}

function batchOf(rows: readonly FileRow[]): readonly FileRow[] {
  let bytes = 0;
  const end = rows.findIndex((row) => (bytes += row.length) > bytesPerBatch);
  return end < 0 ? rows : rows.slice(0, Math.max(1, end));
}

/** Builds the request to copy a file, with its expected checksums. */
function copyItem(
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
function refuseFailures(rows: readonly FileRow[], outcomes: readonly FileOutcome[]): void {
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
