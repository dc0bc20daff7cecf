import { crc32 } from '@node-rs/crc32';
import {
  directoryEntryLength,
  endRecords,
  localHeaderLength,
  writeDirectoryEntry,
  writeLocalHeader,
  type MemberHeader,
} from '../../../../src-shared/archive/zip-format.ts';

export interface ReferenceFile {
  readonly path: string;
  readonly bytes: Buffer;
  readonly registeredAt: number;
}

/** The central directory and the end of an archive of members, and where the directory begins. */
export function tailOf(members: readonly MemberHeader[]): { readonly at: number; readonly tail: Buffer } {
  let at = 0;
  const entries = members.map((member) => {
    const entry = Buffer.alloc(directoryEntryLength(member, at));
    writeDirectoryEntry(entry, 0, member, at);
    at += localHeaderLength(member) + member.length;
    return entry;
  });
  const directory = Buffer.concat(entries);
  return { at, tail: Buffer.concat([directory, endRecords(members.length, directory.length, at)]) };
}

/** An archive put together in memory, member by member. */
export function zipOf(files: readonly ReferenceFile[]): Buffer {
  const members = files.map(({ path, bytes, registeredAt }) => ({
    path,
    registeredAt,
    length: bytes.length,
    crc32: crc32(bytes),
  }));
  const parts = members.map((member, at) => {
    const header = Buffer.alloc(localHeaderLength(member));
    writeLocalHeader(header, 0, member);
    return Buffer.concat([header, files[at]?.bytes ?? Buffer.alloc(0)]);
  });
  return Buffer.concat([...parts, tailOf(members).tail]);
}
