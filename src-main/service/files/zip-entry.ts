import { isUtf8 } from 'node:buffer';
import { getFileNameLowLevel, type Entry } from 'yauzl';

const symlinkMode = 0o120000;
const modeMask = 0o170000;
// Above this size, a compression ratio that no measurement reaches indicates a ZIP bomb.
const bombBytes = 100 * 1024 * 1024;
const bombRatio = 1000;
const methods: Readonly<Record<number, string>> = {
  1: 'Shrink',
  6: 'Implode',
  9: 'Deflate64',
  12: 'bzip2',
  14: 'LZMA',
  93: 'Zstandard',
  95: 'xz',
  98: 'PPMd',
  99: 'AES encryption',
};

/**
 * Decodes the name of an entry by its Unicode field, its flag, or its bytes; null when it is
 * flagged as UTF-8 but invalid.
 */
export function decodeEntryName(entry: Entry): string | null {
  const raw = entry.fileNameRaw;
  const flagged = (entry.generalPurposeBitFlag & 0x800) !== 0;
  if (flagged && !isUtf8(raw)) return null;
  // macOS and many Unix tools write UTF-8 without the flag; text in code page 437 is hardly ever
  // valid UTF-8 by chance.
  const flags = isUtf8(raw) ? entry.generalPurposeBitFlag | 0x800 : entry.generalPurposeBitFlag;
  return getFileNameLowLevel(flags, raw, entry.extraFields, true);
}

/**
 * Returns why an entry is refused; null when it is accepted. General rules for names are checked
 * together with those of other files.
 */
export function entryRefusal(entry: Entry, name: string): string | null {
  if (name.includes('\\')) return 'the name holds a backslash, which is a folder separator on Windows';
  if (name.startsWith('/')) return 'the path is absolute';
  if (/^[A-Za-z]:/.test(name)) return 'the path starts with a drive letter';
  if (name.split('/').some((part) => part === '..' || part === '.'))
    return 'the path holds ".." or "." and could lead out of the folder';
  if ((entry.generalPurposeBitFlag & 0x41) !== 0)
    return 'it is encrypted; unpack it with its password and register the folder';
  const mode = entry.versionMadeBy >> 8 === 3 ? (entry.externalFileAttributes >>> 16) & modeMask : 0;
  if (mode === symlinkMode) return 'it is a link';
  if (mode !== 0 && mode !== 0o100000 && mode !== 0o040000) return 'it is a device or a named pipe, not a file';
  if (name.endsWith('/')) return entry.uncompressedSize > 0 ? 'it is named like a folder but holds data' : null;
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    return `it is packed with ${methods[entry.compressionMethod] ?? `method ${entry.compressionMethod}`}, which is not supported; unpack it and register the folder`;
  }
  if (entry.compressionMethod === 0 && entry.compressedSize !== entry.uncompressedSize)
    return 'it is stored, but its two sizes differ; the archive is damaged';
  if (entry.uncompressedSize > bombBytes && entry.uncompressedSize > entry.compressedSize * bombRatio) {
    return `it unpacks to more than ${bombRatio} times its packed size; if that is meant, unpack it and register the folder`;
  }
  return null;
}
