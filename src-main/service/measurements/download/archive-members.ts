import { closeSync, fstatSync } from 'node:fs';
import type { BodyPart } from './body-parts.ts';
import type { ArchiveSource } from '../content/copy-archive.ts';
import { identityOf } from '../storage/file-identity.ts';
import { Member, type MemberRows } from './member-rows.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import { tryOpenVerifiedSync } from '../storage/open-sync.ts';

/** Most members that a range may touch to be sent synchronously. */
const maxMembers = 64;
const nothing = Buffer.alloc(0);
const doubtThreshold = 64;
const missPenalty = 8;
/**
 * Per measurement: a score that rises when the guess from equal lengths was wrong and falls when it
 * was right.
 */
const doubts = new WeakMap<MeasurementRow, number>();

/**
 * Returns the members with bytes in a range of an archive from the cache, without reading the
 * database.
 *
 * @returns null when they are not cached or are not where equal file lengths would put them.
 */
export function cachedMembers(
  source: ArchiveSource,
  rows: MemberRows,
  start: number,
  end: number,
): readonly Member[] | null {
  const { index, count } = guess(source.measurement, start, end);
  const members = count <= maxMembers ? rows.cached(source, index, count) : null;
  return members && within(source.measurement, members, start, end);
}

/**
 * Finds the members with bytes in a range of an archive, reading the database where needed.
 *
 * Instruments write series of files of equal length, so the offset in the archive tells the index,
 * and the rows read for it confirm or refute the guess. Searching the database by offset takes
 * longer than all other work that is specific to an archive.
 */
export async function findMembers(
  source: ArchiveSource,
  rows: MemberRows,
  start: number,
  end: number,
): Promise<readonly Member[]> {
  const { measurement, files, pathOf } = source;
  const doubt = doubts.get(measurement) ?? 0;
  const { index, count } = guess(measurement, start, end);
  if (doubt < doubtThreshold && count <= maxMembers) {
    const members = within(measurement, await rows.load(source, index, count), start, end);
    doubts.set(measurement, members ? Math.max(doubt - 1, 0) : doubt + missPenalty);
    if (members) return members;
  }
  const found = await files.membersBetween(measurement.id, start, end, maxMembers);
  return found.map((file) => new Member(file, pathOf(file)));
}

function guess({ file_count: all, archive_directory_offset: length }: MeasurementRow, start: number, end: number) {
  // One row more than needed: that it starts after the end shows that none is missing.
  return { index: Math.floor((start * all) / length), count: Math.ceil(((end - start) * all) / length) + 2 };
}

/**
 * Selects the neighbouring members that have bytes in a range; null when members outside `members`
 * could have some too.
 */
function within(
  measurement: MeasurementRow,
  members: readonly Member[],
  start: number,
  end: number,
): readonly Member[] | null {
  const first = members.findLastIndex(({ file }) => file.archive_offset <= start);
  const behind = members.findIndex(({ file }) => file.archive_offset >= end);
  if (first < 0 || (behind < 0 && members.at(-1)?.file.idx !== measurement.file_count - 1)) return null;
  return members.slice(first, behind < 0 ? members.length : behind);
}

/**
 * Opens the members of an archive that have bytes from `start` to `end` (headers included),
 * synchronously: only for files in the page cache, see SyncIoPolicy. Call `closeMembers` in the
 * same turn of the event loop.
 *
 * @returns null when the members do not reach the end, or one differs from what was registered:
 * `copyArchive` then determines and reports the reason.
 */
export function openMembers(
  source: ArchiveSource,
  members: readonly Member[],
  start: number,
  end: number,
): readonly BodyPart[] | null {
  const last = members.at(-1);
  if (!last || last.file.archive_offset + last.header.length + last.file.length < end) return null;
  const parts: BodyPart[] = [];
  for (const member of members) {
    const part = openMember(source, member, start, end);
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

function openMember(
  archive: ArchiveSource,
  { file, path, header }: Member,
  start: number,
  end: number,
): BodyPart | null {
  const { root, syncIo, kernel, measurement, checked, userId } = archive;
  // Positions within the member, header first.
  const from = Math.max(start - file.archive_offset, 0);
  const to = Math.min(end - file.archive_offset, header.length + file.length);
  const before = from >= header.length ? nothing : header.subarray(from, to);
  const dataFrom = Math.max(from - header.length, 0);
  const dataTo = Math.max(to - header.length, dataFrom);
  const fd =
    dataTo === dataFrom
      ? -1
      : tryOpenVerifiedSync(kernel, { path, row: file, syncIo, inLibrary: measurement.storage === 'library' });
  if (fd < 0 && dataTo > dataFrom) return null;
  const source = { fd, root, syncIo, file, measurementId: measurement.id, userId, checked };
  const part = { before, source, from: dataFrom, to: dataTo, identity: null };
  if (fd < 0 || (dataFrom === 0 && dataTo === file.length)) return part;
  try {
    const identity = identityOf(fstatSync(fd, { bigint: true }));
    if (checked.known(measurement.id, file.idx, identity, dataFrom, dataTo) || checked.checkNow(source, identity))
      return { ...part, identity };
  } catch {
    // The ordinary handler determines and reports the reason.
  }
  closeSync(fd);
  return null;
}
