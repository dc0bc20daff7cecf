import {
  directoryEntryLength,
  writeDirectoryEntry,
  type MemberHeader,
} from '../../../../src-shared/archive/zip-format.ts';
import type { ArchiveMemberRow, DirectoryEntries, FilesStore } from '../store/files-store.ts';
import type { ResponseWriter } from './response-writer.ts';

/** Neighbouring entries, whose members lie `shift` bytes before where they are in the archive of all files. */
export type ShiftedEntries = DirectoryEntries & { readonly shift: number };

/**
 * Kept small so that a page dies in V8's young generation: pages that survive two scavenges fill
 * the memory until the next major collection.
 */
export const rowsPerPage = 32;

/**
 * Writes bytes of the central directory into a body, reading rows in pages.
 *
 * @param start,end positions from the first of the entries.
 */
export async function copyDirectory(
  writer: ResponseWriter,
  files: Pick<FilesStore, 'indexAtDirectoryOffset' | 'membersFrom'>,
  measurementId: string,
  entries: ShiftedEntries,
  start: number,
  end: number,
): Promise<void> {
  const { first, last, directoryFrom, saved, shift } = entries;
  let index = start === 0 ? first : await files.indexAtDirectoryOffset(measurementId, entries, start);
  while (index <= last) {
    const page = await files.membersFrom(measurementId, index, Math.min(rowsPerPage, last - index + 1));
    for (const file of page) {
      const at = file.directory_offset - directoryFrom - saved * (file.idx - first);
      if (at >= end) return;
      const offset = file.archive_offset - shift;
      await putSlice(writer, directoryEntryLength(file, offset), Math.max(start - at, 0), end - at, (target, to) =>
        writeDirectoryEntry(target, to, headerOf(file), offset),
      );
    }
    if (page.length === 0) return;
    index += page.length;
    await new Promise(setImmediate);
  }
}

/**
 * Puts a part of a header into the body: directly into the buffer when all of it is wanted and
 * fits.
 */
export async function putSlice(
  writer: ResponseWriter,
  length: number,
  from: number,
  to: number,
  write: (target: Buffer, at: number) => number,
): Promise<void> {
  if (from === 0 && to >= length && length <= writer.freeBytes) {
    write(writer.buffer, writer.filled);
    writer.add(length);
    return;
  }
  const bytes = Buffer.allocUnsafe(length);
  write(bytes, 0);
  await writer.put(bytes.subarray(from, Math.min(to, length)));
}

/** Returns the fields that a member's ZIP headers contain. */
export function headerOf(file: ArchiveMemberRow): MemberHeader {
  return { path: file.path, length: file.length, crc32: file.crc32, registeredAt: file.registered_at };
}
