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
import { readFile, readWhole } from './bytes.ts';

/** Files that are read at once and sent together: each alone costs a write to the connection. */
const maxBatchFiles = 64;
const maxBatchBytes = 1024 * 1024;
const entriesPerChunk = 1000;

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
    directoryOffset += archivedLength(member);
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
  for (const batch of batchesOf(members)) {
    const end = at + batch.reduce((sum, member) => sum + archivedLength(member), 0);
    if (from < end) yield* readBatch(batch, Math.max(0, from - at));
    at = end;
  }
  let entryAt = places.directoryOffset;
  let memberAt = 0;
  let entries: Buffer[] = [];
  for (const member of members) {
    const length = directoryEntryLength(member, memberAt);
    if (from < entryAt + length) entries.push(directoryEntry(member, memberAt).subarray(Math.max(0, from - entryAt)));
    if (entries.length === entriesPerChunk) {
      yield Buffer.concat(entries);
      entries = [];
    }
    entryAt += length;
    memberAt += archivedLength(member);
  }
  if (entries.length > 0) yield Buffer.concat(entries);
  yield Buffer.from(endRecords(members.length, places.directoryLength, places.directoryOffset)).subarray(
    Math.max(0, from - entryAt),
  );
}

/** Consecutive files that are read together; a large one is alone. */
function* batchesOf(members: readonly ArchiveMember[]): Generator<readonly ArchiveMember[]> {
  let batch: ArchiveMember[] = [];
  let bytes = 0;
  for (const member of members) {
    if (batch.length > 0 && (batch.length === maxBatchFiles || bytes + member.length > maxBatchBytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(member);
    bytes += member.length;
  }
  if (batch.length > 0) yield batch;
}

/** @param from Position in the batch. */
async function* readBatch(batch: readonly ArchiveMember[], from: number): AsyncGenerator<Buffer> {
  const [first] = batch;
  if (first !== undefined && batch.length === 1) {
    const header = localHeaderLength(first);
    if (from < header) yield localHeader(first).subarray(from);
    yield* readFile(first.file, first.length, Math.max(0, from - header));
    return;
  }
  const parts = await Promise.all(
    batch.map(async (member) => [localHeader(member), await readWhole(member.file, member.length)]),
  );
  yield Buffer.concat(parts.flat()).subarray(from);
}

function archivedLength(member: ArchiveMember): number {
  return localHeaderLength(member) + member.length;
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
