import {
  directoryEntryLength,
  endLength,
  endRecords,
  localHeaderLength,
  writeDirectoryEntry,
  writeLocalHeader,
} from '../../../src-shared/archive/zip-format.ts';
import type { HashedFile } from './hash-files.ts';

/** Bytes of which parts are taken; those of files stay on the disk until they are sent. */
export interface ByteSource {
  readonly length: number;
  part(from: number, to: number): Blob;
}

interface Placed {
  readonly file: HashedFile;
  readonly offset: number;
  readonly header: number;
}

/** The archive that follows from the checksums of files. */
export function archiveOf(files: readonly HashedFile[]): ByteSource {
  const placed: Placed[] = [];
  let offset = 0;
  let directoryLength = 0;
  for (const file of files) {
    const header = localHeaderLength(file);
    placed.push({ file, offset, header });
    directoryLength += directoryEntryLength(file, offset);
    offset += header + file.length;
  }
  const directoryOffset = offset;
  const length = directoryOffset + directoryLength + endLength(files.length, directoryLength, directoryOffset);
  let directory: Blob | null = null;
  return {
    length,
    part: (from, to) => {
      const parts: Blob[] = [];
      for (let at = indexAt(placed, from); at < placed.length; at += 1) {
        const one = placed[at];
        if (one === undefined || one.offset >= to) break;
        parts.push(...partsOf(one, from - one.offset, to - one.offset));
      }
      if (to > directoryOffset) {
        directory ??= directoryOf(placed, directoryLength, directoryOffset);
        parts.push(directory.slice(Math.max(0, from - directoryOffset), to - directoryOffset));
      }
      return new Blob(parts);
    },
  };
}

/** The last file that begins at or before an offset. */
function indexAt(placed: readonly Placed[], offset: number): number {
  let low = 0;
  let high = placed.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((placed[middle]?.offset ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Header and bytes of a file between two positions. */
function partsOf({ file, header }: Placed, from: number, to: number): readonly Blob[] {
  const parts: Blob[] = [];
  if (from < header) {
    const bytes = new Uint8Array(header);
    writeLocalHeader(bytes, 0, file);
    parts.push(new Blob([bytes]).slice(Math.max(0, from), to));
  }
  if (to > header) parts.push(file.file.slice(Math.max(0, from - header), to - header));
  return parts;
}

function directoryOf(placed: readonly Placed[], length: number, offset: number): Blob {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const one of placed) at = writeDirectoryEntry(bytes, at, one.file, one.offset);
  return new Blob([bytes, endRecords(placed.length, length, offset)]);
}
