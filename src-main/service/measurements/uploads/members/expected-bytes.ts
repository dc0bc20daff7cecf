import path from 'node:path';
import {
  directoryEntryLength,
  endRecords,
  localHeaderLength,
  writeDirectoryEntry,
  writeLocalHeader,
} from '../../../../../src-shared/archive/zip-format.ts';
import { fileOfLine, manifestName, type ExpectedArchive, type ExpectedFile } from './expected-file.ts';
import { LineReader } from './line-reader.ts';

export function localHeader(file: ExpectedFile): Buffer {
  const bytes = Buffer.alloc(localHeaderLength(file));
  writeLocalHeader(bytes, 0, file);
  return bytes;
}

/**
 * The bytes of an archive after its last file, entry by entry.
 *
 * @param from The offset in the archive of the first byte, at or after the directory.
 */
export function* directoryBytes(folder: string, archive: ExpectedArchive, from: number): Generator<Buffer> {
  const reader = new LineReader(path.join(folder, manifestName));
  let member = 0;
  let entry = archive.directoryOffset;
  try {
    for (let line = reader.next(); line !== null; line = reader.next()) {
      const file = fileOfLine(line);
      const end = entry + directoryEntryLength(file, member);
      if (end > from) {
        const bytes = Buffer.alloc(end - entry);
        writeDirectoryEntry(bytes, 0, file, member);
        yield bytes.subarray(Math.max(0, from - entry));
      }
      entry = end;
      member += localHeaderLength(file) + file.length;
    }
  } finally {
    reader.close();
  }
  const records = Buffer.from(endRecords(archive.files, entry - archive.directoryOffset, archive.directoryOffset));
  if (entry + records.length > from) yield records.subarray(Math.max(0, from - entry));
}
