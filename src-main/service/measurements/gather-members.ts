import { closeSync, fstatSync, openSync } from 'node:fs';
import { localHeaderLength, writeLocalHeader } from '../archive/zip-format.ts';
import { headerOf, type ArchiveSource } from './copy-archive.ts';
import { readSmall } from './copy-file.ts';
import { openFlags } from './file-descriptor.ts';
import { difference } from './file-faults.ts';
import type { MemberRow } from './files-store.ts';
import type { MeasurementRow } from './measurements-store.ts';

/** More members than this are not a small piece of work. */
const most = 64;
const doubtful = 64;
const missCosts = 8;
/** How often a measurement's members were not where equal lengths would put them. */
const doubts = new WeakMap<MeasurementRow, number>();

/**
 * Puts the bytes of an archive's members from `start` to `end`, headers included, into a buffer, at once: for files in the page cache, see DiskPace.
 *
 * @returns false when there are too many members, or one is not what was registered: why is found and said by `copyArchive`.
 */
export async function gatherMembers(source: ArchiveSource, target: Buffer, start: number, end: number): Promise<boolean> {
  const members = await membersBetween(source, start, end);
  const last = members.at(-1);
  if (!last || last.archive_offset + localHeaderLength(last) + last.length < end) return false;
  for (const file of members) {
    const headerLength = localHeaderLength(file);
    // Positions within the member, header first.
    const from = Math.max(start - file.archive_offset, 0);
    const to = Math.min(end - file.archive_offset, headerLength + file.length);
    const at = file.archive_offset + from - start;
    if (from < headerLength) {
      const header = Buffer.allocUnsafe(headerLength);
      writeLocalHeader(header, 0, headerOf(file));
      header.copy(target, at, from, to);
    }
    const dataFrom = Math.max(from - headerLength, 0);
    const dataTo = to - headerLength;
    if (dataTo > dataFrom && !readMember(source, file, target.subarray(file.archive_offset + headerLength + dataFrom - start), dataFrom, dataTo)) return false;
  }
  return true;
}

function readMember(source: ArchiveSource, file: MemberRow, target: Buffer, from: number, to: number): boolean {
  const since = performance.now();
  let fd = -1;
  try {
    fd = openSync(source.pathOf(file), openFlags);
    const problem = difference(file, fstatSync(fd, { bigint: true }));
    source.pace.note(since);
    if (problem !== null) return false;
    readSmall({ fd, root: source.root, pace: source.pace, file }, target, from, to);
    return true;
  } catch {
    return false;
  } finally {
    if (fd >= 0) closeSync(fd);
  }
}

/**
 * The members with bytes in a range. Instruments write series of files of one length: of those a place in the archive tells the index, and the rows that
 * are read prove or disprove it. Finding the index in the database takes longer than all the rest that is special to an archive.
 */
async function membersBetween(source: ArchiveSource, start: number, end: number): Promise<readonly MemberRow[]> {
  const { measurement, files } = source;
  const { id, file_count: count, archive_directory_offset: directoryOffset } = measurement;
  const doubt = doubts.get(measurement) ?? 0;
  // One more than needed: that it starts behind the end shows that none is left out.
  const likely = Math.ceil(((end - start) * count) / directoryOffset) + 2;
  if (doubt < doubtful && likely <= most) {
    const page = await files.membersFrom(id, Math.floor((start * count) / directoryOffset), likely);
    const first = page.findLastIndex((file) => file.archive_offset <= start);
    const behind = page.findIndex((file) => file.archive_offset >= end);
    if (first >= 0 && (behind > first || page.at(-1)?.idx === count - 1)) {
      if (doubt > 0) doubts.set(measurement, doubt - 1);
      return page.slice(first, behind < 0 ? page.length : behind);
    }
    doubts.set(measurement, doubt + missCosts);
  }
  return files.membersBetween(id, start, end, most);
}
