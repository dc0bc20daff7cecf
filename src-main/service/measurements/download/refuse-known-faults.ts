import { stat } from 'node:fs/promises';
import { markFound } from '../block-checks/mark-file.ts';
import type { ArchiveSource } from '../content/copy-archive.ts';
import { alteredFault } from '../content/file-state.ts';
import type { Span } from '../selection/layout.ts';
import { classifyFileError, faultIn } from '../storage/file-errors.ts';
import type { FileRow } from '../store/files-store.ts';
import type { Serving } from './serving.ts';

const maxFilesChecked = 20;

/**
 * Reports a known problem of a member before the first byte, instead of aborting hours later. Only
 * members in the requested range count; missing or unreadable ones are checked again.
 *
 * @throws FileFault
 */
export async function refuseKnownFaults(
  services: Serving['services'],
  source: ArchiveSource,
  start: number,
  end: number,
): Promise<void> {
  const { measurement, files } = source;
  const first =
    start < measurement.archive_directory_offset ? await files.atArchiveOffset(measurement.id, start) : null;
  if (!first) return;
  for (const file of await files.withProblems(measurement.id, first.idx, maxFilesChecked)) {
    if (file.archive_offset >= end) return;
    await checkAgain(services, source, file);
  }
}

/**
 * Reports known problems as `refuseKnownFaults` does, of members of a selection.
 *
 * @param start,end of the requested range of the archive of the selection.
 * @throws FileFault
 */
export async function refuseKnownFaultsOf(
  services: Serving['services'],
  source: ArchiveSource,
  spans: readonly Span[],
  start: number,
  end: number,
): Promise<void> {
  const { measurement, files } = source;
  let checked = 0;
  let next = 0;
  for (const { first, last, at, length, shift } of spans) {
    if (at >= end || checked >= maxFilesChecked) return;
    if (at + length <= start || last < next) continue;
    const begin = at < start ? await files.atArchiveOffset(measurement.id, start + shift) : null;
    const found = await files.withProblems(measurement.id, begin?.idx ?? first, maxFilesChecked - checked);
    for (const file of found.filter(({ idx }) => idx <= last)) {
      if (file.archive_offset - shift >= end) return;
      await checkAgain(services, source, file);
      checked += 1;
    }
    // Where nothing behind is known, no later span has to be looked through.
    next = found.find(({ idx }) => idx > last)?.idx ?? (found.length === 0 ? Infinity : 0);
  }
}

async function checkAgain(
  services: Serving['services'],
  { pathOf, root }: ArchiveSource,
  file: FileRow,
): Promise<void> {
  const path = pathOf(file);
  try {
    if (file.state === 'altered') throw await alteredFault({ row: file, path });
    const fault = faultIn(file, await stat(path, { bigint: true }));
    if (fault) throw fault;
  } catch (error) {
    throw await classifyFileError(error, file, root);
  }
  await markFound(services, file);
}
