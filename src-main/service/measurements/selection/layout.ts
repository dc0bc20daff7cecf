import { directoryEntryLength, endLength, zip64From } from '../../../../src-shared/archive/zip-format.ts';
import type { ShiftedEntries } from '../content/copy-directory.ts';
import type { FileRange } from '../../files/file-ranges.ts';
import type { MemberPlace } from '../store/files-store.ts';

/** Neighbouring members of the archive of all files, moved to where they are in that of a selection. */
export interface Span extends ShiftedEntries {
  /** Offset of the first member in the archive of all files. */
  readonly from: number;
  /** Offset of the first member in this archive. */
  readonly at: number;
  /** Bytes of its members with their local headers. */
  readonly length: number;
  /** Position of its first entry within the central directory of this archive. */
  readonly directoryAt: number;
  readonly directoryLength: number;
}

/** Where everything is in the archive of a selection, in bytes. */
export interface SelectionLayout {
  readonly spans: readonly Span[];
  readonly fileCount: number;
  readonly directoryOffset: number;
  readonly directoryLength: number;
  /** Length of the archive. */
  readonly length: number;
}

/**
 * Members whose offsets need ZIP64 in the archive of all files, and not in that of the selection:
 * their entries are shorter there.
 */
export interface ShorterEntries {
  readonly first: number;
  readonly last: number;
  /** Length of the file of the last one, the only one that may need ZIP64 itself. */
  readonly lengthOfLast: number;
}

export type PlaceOf = (index: number) => Omit<MemberPlace, 'idx'>;

/**
 * Lays out the archive of a selection.
 *
 * @param ranges in order and not overlapping.
 * @param placeOf the place of the first member of each range, of the one behind each range, and of
 * those at the borders of `shorter`; behind the last member lies the end of members and directory.
 */
export function layOut(
  ranges: readonly FileRange[],
  placeOf: PlaceOf,
  shorter: ShorterEntries | null,
): SelectionLayout {
  const spans: Span[] = [];
  let [at, directoryAt, fileCount] = [0, 0, 0];
  for (const { first, last } of shorter ? split(ranges, bordersOf(shorter)) : ranges) {
    const [begin, end] = [placeOf(first), placeOf(last + 1)];
    const count = last - first + 1;
    const saved = shorter && first >= shorter.first && first <= shorter.last ? savedBytes(first, shorter) : 0;
    const span = {
      first,
      last,
      from: begin.archive_offset,
      at,
      length: end.archive_offset - begin.archive_offset,
      shift: begin.archive_offset - at,
      directoryFrom: begin.directory_offset,
      directoryAt,
      directoryLength: end.directory_offset - begin.directory_offset - saved * count,
      saved,
    };
    spans.push(span);
    at += span.length;
    directoryAt += span.directoryLength;
    fileCount += count;
  }
  const length = at + directoryAt + endLength(fileCount, directoryAt, at);
  return { spans, fileCount, directoryOffset: at, directoryLength: directoryAt, length };
}

/** Indexes at which ranges are divided, so that all entries of a part are shorter by as much. */
export function bordersOf({ first, last }: ShorterEntries): readonly number[] {
  return [first, last, last + 1];
}

function savedBytes(index: number, { last, lengthOfLast }: ShorterEntries): number {
  const member = { path: '', length: index === last ? lengthOfLast : 0 };
  return directoryEntryLength(member, zip64From) - directoryEntryLength(member, 0);
}

function split(ranges: readonly FileRange[], borders: readonly number[]): readonly FileRange[] {
  return ranges.flatMap(({ first, last }) => {
    const firsts = [
      first,
      ...borders.filter((border, at) => border > first && border <= last && border !== borders[at - 1]),
    ];
    return firsts.map((one, at) => ({ first: one, last: (firsts[at + 1] ?? last + 1) - 1 }));
  });
}
