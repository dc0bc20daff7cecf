import { createHash } from 'node:crypto';
import { directoryEntryLength, endLength, localHeaderLength } from './zip-format.ts';

/** Grows with any change of the archive's bytes: it is part of the entity tag, so that old partial downloads are never continued with new bytes. */
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
   * @returns where its local header starts, and where its directory entry starts, counted from the start of the central directory.
   * @throws RangeError when the archive would outgrow what numbers count exactly, or the name what a ZIP can hold.
   */
  add(member: MemberShape): { archiveOffset: number; directoryOffset: number };
  finish(): ArchiveShape;
}

export interface ArchiveShape {
  /** Its length. */
  readonly archiveBytes: number;
  /** Where its central directory starts. */
  readonly directoryOffset: number;
  /** The hexadecimal hash of the manifest and the layout version. */
  readonly tag: string;
}

/** Computes where everything lies in the archive of a measurement, one member at a time and without holding them. */
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
      // The path comes last and a line break is legal in it: the lengths before it keep two manifests from reading alike.
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
