import { closeSync } from 'node:fs';
import { localHeaderLength, writeLocalHeader } from '../archive/zip-format.ts';
import type { BodyPart } from './body-parts.ts';
import { headerOf, type ArchiveSource } from './copy-archive.ts';
import type { MemberRow } from './files-store.ts';
import type { MemberRows } from './member-rows.ts';
import type { MeasurementRow } from './measurements-store.ts';
import { openAtOnce } from './open-at-once.ts';

/** More members than this are not a small piece of work. */
const most = 64;
const nothing = Buffer.alloc(0);
const doubtful = 64;
const missCosts = 8;
/** How often a measurement's members were not where equal lengths would put them. */
const doubts = new WeakMap<MeasurementRow, number>();

/**
 * The bytes of an archive's members from `start` to `end`, headers included, each with its file open; at once: for files in the page cache, see DiskPace.
 * To be closed in the same turn.
 *
 * @returns null when there are too many members, or one is not what was registered: why is found and said by `copyArchive`.
 */
export async function openMembers(source: ArchiveSource, rows: MemberRows, start: number, end: number): Promise<readonly BodyPart[] | null> {
  const members = await membersBetween(source, rows, start, end);
  const last = members.at(-1);
  if (!last || last.archive_offset + localHeaderLength(last) + last.length < end) return null;
  const parts: BodyPart[] = [];
  for (const file of members) {
    const part = openMember(source, file, start, end);
    if (!part) {
      closeMembers(parts);
      return null;
    }
    parts.push(part);
  }
  return parts;
}

export function closeMembers(parts: readonly BodyPart[]): void {
  for (const { source } of parts) if (source.fd >= 0) closeSync(source.fd);
}

function openMember(source: ArchiveSource, file: MemberRow, start: number, end: number): BodyPart | null {
  const headerLength = localHeaderLength(file);
  // Positions within the member, header first.
  const from = Math.max(start - file.archive_offset, 0);
  const to = Math.min(end - file.archive_offset, headerLength + file.length);
  let before = nothing;
  if (from < headerLength) {
    before = Buffer.allocUnsafe(headerLength);
    writeLocalHeader(before, 0, headerOf(file));
    before = before.subarray(from, to);
  }
  const dataFrom = Math.max(from - headerLength, 0);
  const dataTo = Math.max(to - headerLength, dataFrom);
  const { root, pace, measurement } = source;
  if (dataTo === dataFrom) return { before, source: { fd: -1, root, pace, file }, from: dataFrom, to: dataTo };
  const fd = openAtOnce(source.pathOf(file), file, pace, measurement.storage === 'library');
  return fd < 0 ? null : { before, source: { fd, root, pace, file }, from: dataFrom, to: dataTo };
}

/**
 * The members with bytes in a range. Instruments write series of files of one length: of those a place in the archive tells the index, and the rows that
 * are read prove or disprove it. Finding the index in the database takes longer than all the rest that is special to an archive.
 */
async function membersBetween(source: ArchiveSource, rows: MemberRows, start: number, end: number): Promise<readonly MemberRow[]> {
  const { measurement, files } = source;
  const { id, file_count: count, archive_directory_offset: directoryOffset } = measurement;
  const doubt = doubts.get(measurement) ?? 0;
  // One more than needed: that it starts behind the end shows that none is left out.
  const likely = Math.ceil(((end - start) * count) / directoryOffset) + 2;
  if (doubt < doubtful && likely <= most) {
    const page = await rows.around(measurement, Math.floor((start * count) / directoryOffset), likely);
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
