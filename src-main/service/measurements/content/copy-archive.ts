import { closeSync } from 'node:fs';
import {
  endLength,
  endRecords,
  localHeaderLength,
  writeLocalHeader,
} from '../../../../src-shared/archive/zip-format.ts';
import type { CheckedBlocks } from '../block-checks/checked-blocks.ts';
import { copyDirectory, headerOf, putSlice, rowsPerPage } from './copy-directory.ts';
import { copyFile, isSystemError, readSmall, type CopySource } from './copy-file.ts';
import type { SyncIoPolicy } from '../storage/sync-io-policy.ts';
import { closeDescriptor, openAtPathInPool, openDescriptor, statDescriptor } from '../../files/file-descriptor.ts';
import { reachedThroughSymlink, faultIn, classifyFileError, FileFault } from '../storage/file-errors.ts';
import type { FileRow, FilesStore, ArchiveMemberRow } from '../store/files-store.ts';
import type { KernelCalls } from '../storage/kernel-calls.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import { openVerifiedSync } from '../storage/open-sync.ts';
import type { ResponseWriter } from './response-writer.ts';

/** The archive of a measurement; its layout follows from the rows of its files. */
export interface ArchiveSource {
  readonly measurement: MeasurementRow;
  readonly files: FilesStore;
  readonly root: string;
  readonly syncIo: SyncIoPolicy;
  readonly kernel: KernelCalls | null;
  readonly checked: CheckedBlocks;
  /** User who downloads the archive. */
  readonly userId: number;
  readonly pathOf: (file: Pick<FileRow, 'location'>) => string;
}

const smallMemberBytes = 256 * 1024;

/**
 * Writes the bytes of an archive from `start` to `end` into a body. The member at `start` is found
 * by its offset, nothing before it is read, and rows are read in pages. Headers and small members
 * are gathered in one buffer.
 *
 * @throws FileFault when a member differs from what was registered.
 */
export async function copyArchive(
  writer: ResponseWriter,
  source: ArchiveSource,
  start: number,
  end: number,
): Promise<void> {
  const { archive_directory_offset: directoryOffset, file_count: count } = source.measurement;
  if (start < directoryOffset) await copyMembers(writer, source, start, Math.min(end, directoryOffset));
  const endAt = directoryOffset + directoryLengthOf(source.measurement);
  if (start < endAt && end > directoryOffset)
    await copyDirectory(
      writer,
      source.files,
      source.measurement.id,
      { first: 0, last: count - 1, directoryFrom: 0, saved: 0, shift: 0 },
      Math.max(start - directoryOffset, 0),
      Math.min(end, endAt) - directoryOffset,
    );
  if (end > endAt)
    await writer.put(
      Buffer.from(endRecords(count, endAt - directoryOffset, directoryOffset)).subarray(
        Math.max(start - endAt, 0),
        end - endAt,
      ),
    );
}

/** Length of the central directory of the archive of all files, in bytes. */
export function directoryLengthOf(measurement: MeasurementRow): number {
  // It is not stored: it is what remains without the end records, which have 22 or 98 bytes.
  const rest = measurement.archive_bytes - measurement.archive_directory_offset;
  return rest - endLength(measurement.file_count, rest - 22, measurement.archive_directory_offset);
}

async function copyMembers(writer: ResponseWriter, source: ArchiveSource, start: number, end: number): Promise<void> {
  const { files, measurement } = source;
  let bytesSinceYield = 0;
  let page = await files.membersBetween(measurement.id, start, end, rowsPerPage);
  for (let last = page.at(-1); last; last = page.at(-1)) {
    for (const file of page) {
      const offset = file.archive_offset;
      if (offset >= end) return;
      const headerLength = localHeaderLength(file);
      const from = Math.max(start - offset, 0);
      const to = Math.min(end - offset, headerLength + file.length);
      if (
        file.length > 0 &&
        from === 0 &&
        to === headerLength + file.length &&
        to <= writer.size &&
        source.syncIo.allowed
      ) {
        if (to > writer.freeBytes) await writer.flush();
        const failure = addMember(writer, source, file);
        if (failure) await failure;
      } else {
        if (from < headerLength)
          await putSlice(writer, headerLength, from, to, (target, at) => writeLocalHeader(target, at, headerOf(file)));
        const dataFrom = Math.max(from - headerLength, 0);
        if (to > headerLength + dataFrom) await copyMember(writer, source, file, dataFrom, to - headerLength);
      }
      // Yield: with blocking reads a fast client would starve the others. With `sendfile`, copies
      // yield by themselves.
      bytesSinceYield += to - from;
      if (bytesSinceYield < smallMemberBytes || writer.canSendFile) continue;
      bytesSinceYield = 0;
      await new Promise(setImmediate);
    }
    const reached = last.archive_offset + localHeaderLength(last) + last.length;
    if (reached >= end) return;
    await new Promise(setImmediate);
    page = await files.membersFrom(measurement.id, last.idx + 1, rowsPerPage);
  }
  throw new Error(`the archive of ${measurement.id} ends before ${end}`);
}

/**
 * Puts a whole member with its header into the buffer, which must have room for it.
 *
 * @returns null on success, otherwise a promise that rejects.
 */
function addMember(writer: ResponseWriter, source: ArchiveSource, file: ArchiveMemberRow): Promise<never> | null {
  let fd = -1;
  try {
    fd = openMemberSync(source, file);
    const at = writeLocalHeader(writer.buffer, writer.filled, headerOf(file));
    readSmall(sourceOf(source, file, fd), writer.buffer.subarray(at), 0, file.length);
    writer.add(at + file.length - writer.filled);
    return null;
  } catch (error) {
    return failed(error, source, file);
  } finally {
    if (fd >= 0) closeSync(fd);
  }
}

async function copyMember(
  writer: ResponseWriter,
  source: ArchiveSource,
  file: ArchiveMemberRow,
  from: number,
  to: number,
): Promise<void> {
  const fitsInBuffer = to - from <= smallMemberBytes && source.syncIo.allowed;
  let fd = -1;
  try {
    fd = fitsInBuffer ? openMemberSync(source, file) : await openMemberInPool(source, file);
    await copyFile(writer, sourceOf(source, file, fd), from, to);
  } catch (error) {
    await failed(error, source, file);
  } finally {
    if (fd >= 0) closeDescriptor(fd);
  }
}

function sourceOf(
  { root, syncIo, measurement, checked, userId }: ArchiveSource,
  file: ArchiveMemberRow,
  fd: number,
): CopySource {
  return { fd, root, syncIo, file, measurementId: measurement.id, userId, checked };
}

async function failed(error: unknown, { root }: ArchiveSource, file: ArchiveMemberRow): Promise<never> {
  throw isSystemError(error) ? await classifyFileError(error, file, root) : error;
}

function openMemberSync({ kernel, measurement, syncIo, pathOf }: ArchiveSource, file: ArchiveMemberRow): number {
  return openVerifiedSync(kernel, {
    path: pathOf(file),
    row: file,
    syncIo,
    inLibrary: measurement.storage === 'library',
  });
}

async function openMemberInPool(source: ArchiveSource, file: ArchiveMemberRow): Promise<number> {
  const path = source.pathOf(file);
  const fd = source.measurement.storage === 'library' ? await openDescriptor(path) : await openAtPathInPool(path);
  if (fd < 0) throw new FileFault(file, 'altered', reachedThroughSymlink);
  try {
    const fault = faultIn(file, await statDescriptor(fd));
    if (fault) throw fault;
    return fd;
  } catch (error) {
    closeDescriptor(fd);
    throw error;
  }
}
