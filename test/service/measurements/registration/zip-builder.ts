import { crc32, deflateRawSync } from 'node:zlib';
import { endRecords } from '../../../../src-shared/archive/zip-format.ts';

/** One entry, whose fields can contradict each other. */
export interface BuiltEntry {
  readonly name: string | Buffer;
  readonly data?: Buffer | string;
  readonly deflate?: boolean;
  readonly method?: number;
  readonly flags?: number;
  readonly crc?: number;
  readonly size?: number;
  readonly packedSize?: number;
  readonly mode?: number;
  readonly extra?: Buffer;
  /** Position of the local header as stated in the central directory. */
  readonly offset?: number;
  /** Bytes that replace the packed data. */
  readonly packed?: Buffer;
}

/** Builds a ZIP archive byte by byte. */
export function buildZip(
  entries: readonly BuiltEntry[],
  change: { readonly count?: number; readonly directoryOffset?: number } = {},
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const name = typeof entry.name === 'string' ? Buffer.from(entry.name) : entry.name;
    const data = Buffer.from(entry.data ?? '');
    const packed = entry.packed ?? (entry.deflate ? deflateRawSync(data) : data);
    const method = entry.method ?? (entry.deflate ? 8 : 0);
    const flags = entry.flags ?? 0x0800;
    const crc = entry.crc ?? crc32(data);
    const extra = entry.extra ?? Buffer.alloc(0);
    const size = entry.size ?? data.length;
    const packedSize = entry.packedSize ?? packed.length;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(flags, 6);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(0x5a21_6000, 10);
    local.writeUInt32LE(crc, 14);
    local.writeUInt32LE(packedSize, 18);
    local.writeUInt32LE(size, 22);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE((3 << 8) | 20, 4);
    central.writeUInt16LE(20, 6);
    local.copy(central, 8, 6, 28);
    central.writeUInt16LE(extra.length, 30);
    central.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 38);
    central.writeUInt32LE(entry.offset ?? offset, 42);
    parts.push(local, name, packed);
    directory.push(central, name, extra);
    offset += local.length + name.length + packed.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(change.count ?? entries.length, 8);
  end.writeUInt16LE(change.count ?? entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(change.directoryOffset ?? offset, 16);
  return Buffer.concat([...parts, central, end]);
}

/** An archive that states to have so many entries, as many as ZIP64 can have. */
export function withStatedCount(zip: Buffer, count: number): Buffer {
  const end = zip.subarray(-22);
  return Buffer.concat([zip.subarray(0, -22), endRecords(count, end.readUInt32LE(12), end.readUInt32LE(16))]);
}
