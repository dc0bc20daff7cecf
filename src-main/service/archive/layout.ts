import { createHash } from 'node:crypto';
import { directoryEntryLength, endLength, localHeaderLength } from '../../../src-shared/archive/zip-format.ts';

/**
 * Increment with any change of the archive's bytes: part of the ETag, so that old partial downloads
 * are never continued with new bytes.
 */
export const layoutVersion = 1;

export interface MemberShape {
  path: string;
  length: number;
  crc32: number;
  sha256: Buffer;
  /** Milliseconds since 1970, UTC. */
  registeredAt: number;
}

export interface ArchiveLayout {
  /**
   * Places the next member, in manifest order.
   *
   * @returns the offset of its local header, and the offset of its directory entry from the start
   * of the central directory.
   * @throws RangeError when the archive would exceed the safe integers, or the name the limit of
   * ZIP.
   */
  add(member: MemberShape): { archiveOffset: number; directoryOffset: number };
  finish(): ArchiveShape;
}

export interface ArchiveShape {
  /** Length of the archive. */
  readonly archiveBytes: number;
  /** Offset of the central directory. */
  readonly directoryOffset: number;
  /** Hexadecimal hash of the manifest and the layout version. */
  readonly tag: string;
}

/**
 * Computes the offsets in the archive of a measurement incrementally, without keeping the members
 * in memory.
 */
export function beginLayout(): ArchiveLayout {
  const hash = createHash('sha256').update(`benchport archive ${layoutVersion}\n`);
  let offset = 0;
  let directory = 0;
  let count = 0;
  return {
    add: (member) => {
      if (Buffer.byteLength(member.path) > 0xffff) throw new RangeError('a name is longer than 65,535 bytes');
      const placed = { archiveOffset: offset, directoryOffset: directory };
      directory += directoryEntryLength(member, offset);
      offset += localHeaderLength(member) + member.length;
      if (!Number.isSafeInteger(offset + directory))
        throw new RangeError('the archive would be longer than 2^53 bytes');
      count += 1;
      // The path is last and may contain a line break: the lengths before it prevent two manifests
      // from having the same input.
      hash.update(
        `${Buffer.byteLength(member.path)} ${member.length} ${member.crc32} ${member.registeredAt} ${member.sha256.toString('hex')} ${member.path}\n`,
      );
      return placed;
    },
    finish: () => ({
      archiveBytes: offset + directory + endLength(count, directory, offset),
      directoryOffset: offset,
      tag: hash.digest('hex'),
    }),
  };
}
