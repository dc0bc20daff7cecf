import {
  directoryEntryLength,
  endLength,
  endRecords,
  localHeaderLength,
  writeDirectoryEntry,
  writeLocalHeader,
  type MemberHeader,
} from '../../../src-shared/archive/zip-format.ts';
import { writeAll, type Bytes } from '../../service/upload-client/bytes.ts';
import { readFile } from './bytes.ts';

/** A file of the archive. */
export interface ArchiveMember extends MemberHeader {
  /** Where its bytes lie. */
  readonly file: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

/**
 * The archive of these files, of which only what is read is made. Its bytes follow from the
 * members, so that an upload goes on at any of them.
 */
export function archiveOf(members: readonly ArchiveMember[]): Bytes {
  let directoryOffset = 0;
  let directoryLength = 0;
  for (const member of members) {
    directoryLength += directoryEntryLength(member, directoryOffset);
    directoryOffset += localHeaderLength(member) + member.length;
  }
  const places = { directoryOffset, directoryLength };
  const length = directoryOffset + directoryLength + endLength(members.length, directoryLength, directoryOffset);
  return { length, writeFrom: async (offset, take) => writeAll(readFrom(members, places, offset), take) };
}

interface Places {
  readonly directoryOffset: number;
  readonly directoryLength: number;
}

async function* readFrom(members: readonly ArchiveMember[], places: Places, from: number): AsyncGenerator<Buffer> {
  let at = 0;
  for (const member of members) {
    const header = localHeaderLength(member);
    const end = at + header + member.length;
    if (from < end) {
      if (from < at + header) yield localHeader(member).subarray(Math.max(0, from - at));
      yield* readFile(member.file, member.length, Math.max(0, from - at - header));
    }
    at = end;
  }
  let entryAt = places.directoryOffset;
  let memberAt = 0;
  for (const member of members) {
    const length = directoryEntryLength(member, memberAt);
    if (from < entryAt + length) yield directoryEntry(member, memberAt).subarray(Math.max(0, from - entryAt));
    entryAt += length;
    memberAt += localHeaderLength(member) + member.length;
  }
  yield Buffer.from(endRecords(members.length, places.directoryLength, places.directoryOffset)).subarray(
    Math.max(0, from - entryAt),
  );
}

function localHeader(member: ArchiveMember): Buffer {
  const bytes = Buffer.alloc(localHeaderLength(member));
  writeLocalHeader(bytes, 0, member);
  return bytes;
}

function directoryEntry(member: ArchiveMember, archiveOffset: number): Buffer {
  const bytes = Buffer.alloc(directoryEntryLength(member, archiveOffset));
  writeDirectoryEntry(bytes, 0, member, archiveOffset);
  return bytes;
}
