/**
 * Formats ZIP archives with stored members (PKWARE APPNOTE 6.3.10): local headers, central
 * directory, end records. All bytes are a pure function of the manifest, so any range of the
 * archive can be produced without the bytes before it. ZIP64 is used exactly where a field needs
 * it.
 */

/** Fields of a member's headers. */
export interface MemberHeader {
  readonly path: string;
  readonly length: number;
  readonly crc32: number;
  /** Milliseconds since 1970, UTC. */
  readonly registeredAt: number;
}

const encoder = new TextEncoder();
const max32 = 0xffffffff;
/** The smallest length or offset that takes ZIP64 fields. */
export const zip64From = max32;
const max16 = 0xffff;
const localFixed = 30;
const directoryFixed = 46;
// Extra field 0x5455 "extended timestamp": UTC, because DOS time has no time zone. Both headers
// have the same nine bytes.
const timestampExtra = 9;
const endFixed = 22;
// ZIP64 end record (56) and its locator (20).
const zip64End = 76;
const utf8Flag = 0x0800;
const plainVersion = 20;
const zip64Version = 45;
// Made by: Unix, so that external attributes are a file mode; every reader understands it.
const madeBy = (3 << 8) | zip64Version;
const regularFile = 0o100644;
const earliestDos = Date.UTC(1980, 0, 1);
const latestDos = Date.UTC(2107, 11, 31, 23, 59, 58);

/** Length of a member's local header; the member's bytes follow directly. */
export function localHeaderLength(member: Pick<MemberHeader, 'path' | 'length'>): number {
  return localFixed + utf8Length(member.path) + (member.length >= max32 ? 20 : 0) + timestampExtra;
}

/** Length of a member's entry in the central directory. */
export function directoryEntryLength(member: Pick<MemberHeader, 'path' | 'length'>, archiveOffset: number): number {
  return directoryFixed + utf8Length(member.path) + directoryZip64Length(member.length, archiveOffset) + timestampExtra;
}

/** Length of the records after the central directory. */
export function endLength(count: number, directoryLength: number, directoryOffset: number): number {
  return endFixed + (needsZip64End(count, directoryLength, directoryOffset) ? zip64End : 0);
}

/** Writes a member's local header. @returns the position after it. */
export function writeLocalHeader(target: Uint8Array, at: number, member: MemberHeader): number {
  const zip64 = member.length >= max32;
  const nameLength = writeText(target, member.path, at + localFixed);
  writeUInt32(target, 0x04034b50, at);
  writeUInt16(target, zip64 ? zip64Version : plainVersion, at + 4);
  writeCommon(target, at + 6, member, zip64, zip64, nameLength, (zip64 ? 20 : 0) + timestampExtra);
  let end = at + localFixed + nameLength;
  if (zip64) {
    // A local header always has both sizes (APPNOTE 4.5.3).
    writeUInt16(target, 0x0001, end);
    writeUInt16(target, 16, end + 2);
    writeUInt64(target, member.length, end + 4);
    writeUInt64(target, member.length, end + 12);
    end += 20;
  }
  return writeTimestamp(target, end, member.registeredAt);
}

/** Writes a member's entry of the central directory. @returns the position after it. */
export function writeDirectoryEntry(
  target: Uint8Array,
  at: number,
  member: MemberHeader,
  archiveOffset: number,
): number {
  const bigSize = member.length >= max32;
  const bigOffset = archiveOffset >= max32;
  const zip64Length = directoryZip64Length(member.length, archiveOffset);
  const nameLength = writeText(target, member.path, at + directoryFixed);
  writeUInt32(target, 0x02014b50, at);
  writeUInt16(target, madeBy, at + 4);
  writeUInt16(target, zip64Length > 0 ? zip64Version : plainVersion, at + 6);
  writeCommon(target, at + 8, member, bigSize, bigSize, nameLength, zip64Length + timestampExtra);
  writeUInt16(target, 0, at + 32);
  writeUInt16(target, 0, at + 34);
  writeUInt16(target, 0, at + 36);
  writeUInt32(target, (regularFile << 16) >>> 0, at + 38);
  writeUInt32(target, bigOffset ? max32 : archiveOffset, at + 42);
  let end = at + directoryFixed + nameLength;
  if (zip64Length > 0) {
    // Only the saturated fields, in this order.
    writeUInt16(target, 0x0001, end);
    writeUInt16(target, zip64Length - 4, end + 2);
    end += 4;
    if (bigSize) {
      writeUInt64(target, member.length, end);
      writeUInt64(target, member.length, end + 8);
      end += 16;
    }
    if (bigOffset) {
      writeUInt64(target, archiveOffset, end);
      end += 8;
    }
  }
  return writeTimestamp(target, end, member.registeredAt);
}

/**
 * Returns the records after the central directory: ZIP64 records where needed, and the end record.
 */
export function endRecords(count: number, directoryLength: number, directoryOffset: number): Uint8Array<ArrayBuffer> {
  const zip64 = needsZip64End(count, directoryLength, directoryOffset);
  const bytes = new Uint8Array(endLength(count, directoryLength, directoryOffset));
  if (zip64) {
    writeUInt32(bytes, 0x06064b50, 0);
    writeUInt64(bytes, 44, 4);
    writeUInt16(bytes, madeBy, 12);
    writeUInt16(bytes, zip64Version, 14);
    writeUInt64(bytes, count, 24);
    writeUInt64(bytes, count, 32);
    writeUInt64(bytes, directoryLength, 40);
    writeUInt64(bytes, directoryOffset, 48);
    writeUInt32(bytes, 0x07064b50, 56);
    writeUInt64(bytes, directoryOffset + directoryLength, 64);
    writeUInt32(bytes, 1, 72);
  }
  const at = zip64 ? zip64End : 0;
  writeUInt32(bytes, 0x06054b50, at);
  writeUInt16(bytes, Math.min(count, max16), at + 8);
  writeUInt16(bytes, Math.min(count, max16), at + 10);
  writeUInt32(bytes, Math.min(directoryLength, max32), at + 12);
  writeUInt32(bytes, Math.min(directoryOffset, max32), at + 16);
  return bytes;
}

function needsZip64End(count: number, directoryLength: number, directoryOffset: number): boolean {
  return count >= max16 || directoryLength >= max32 || directoryOffset >= max32;
}

function directoryZip64Length(length: number, archiveOffset: number): number {
  const fields = (length >= max32 ? 16 : 0) + (archiveOffset >= max32 ? 8 : 0);
  return fields === 0 ? 0 : fields + 4;
}

// Flags, method, time, CRC, sizes, lengths: this sequence of fields is part of both headers.
function writeCommon(
  target: Uint8Array,
  at: number,
  member: MemberHeader,
  bigPacked: boolean,
  bigSize: boolean,
  nameLength: number,
  extra: number,
): void {
  const { time, date } = dosTime(member.registeredAt);
  writeUInt16(target, utf8Flag, at);
  writeUInt16(target, 0, at + 2);
  writeUInt16(target, time, at + 4);
  writeUInt16(target, date, at + 6);
  writeUInt32(target, member.crc32, at + 8);
  writeUInt32(target, bigPacked ? max32 : member.length, at + 12);
  writeUInt32(target, bigSize ? max32 : member.length, at + 16);
  writeUInt16(target, nameLength, at + 20);
  writeUInt16(target, extra, at + 22);
}

function writeTimestamp(target: Uint8Array, at: number, milliseconds: number): number {
  writeUInt16(target, 0x5455, at);
  writeUInt16(target, 5, at + 2);
  target[at + 4] = 1;
  writeUInt32(target, Math.min(Math.max(Math.floor(milliseconds / 1000), 0), max32), at + 5);
  return at + timestampExtra;
}

// Always UTC: local time would make the archive depend on the host's zone.
function dosTime(milliseconds: number): { readonly time: number; readonly date: number } {
  const at = new Date(Math.min(Math.max(milliseconds, earliestDos), latestDos));
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  };
}

function writeUInt16(target: Uint8Array, value: number, at: number): void {
  target[at] = value;
  target[at + 1] = value >>> 8;
}

function writeUInt32(target: Uint8Array, value: number, at: number): void {
  writeUInt16(target, value, at);
  writeUInt16(target, value >>> 16, at + 2);
}

// A DataView would need a BigInt for each field.
function writeUInt64(target: Uint8Array, value: number, at: number): void {
  writeUInt32(target, value % 0x100000000, at);
  writeUInt32(target, Math.floor(value / 0x100000000), at + 4);
}

/** @returns the number of bytes. */
function writeText(target: Uint8Array, text: string, at: number): number {
  return encoder.encodeInto(text, target.subarray(at)).written;
}

function utf8Length(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    // Both halves of a surrogate pair together are four bytes, a lone one is replaced by three.
    if (unit < 0x800) length += 1;
    else if (isHigh(unit) && isLow(text.charCodeAt(at + 1))) {
      length += 2;
      at += 1;
    } else length += 2;
  }
  return length;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
