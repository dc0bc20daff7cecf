import path from 'node:path';
import { localHeaderLength } from '../../../../../src-shared/archive/zip-format.ts';
import { fileOfLine, manifestName, memberFile } from './expected-file.ts';
import { LineReader } from './line-reader.ts';
import { sizeOf } from './member-files.ts';
import { lastCheckpoint } from './member-journal.ts';

/**
 * The number of bytes of an upload that are on disk, without a look at them.
 *
 * @throws when its manifest cannot be read.
 */
export function receivedOffset(folder: string): number {
  const { count, offset, head, line } = lastCheckpoint(folder);
  const lines = new LineReader(path.join(folder, manifestName), line);
  try {
    let at = offset;
    for (let index = count; ; index += 1) {
      const text = lines.next();
      if (text === null) return at;
      const file = fileOfLine(text);
      const size = sizeOf(memberFile(folder, index));
      const isBegun = size !== null && size <= file.length && (size > 0 || file.length === 0);
      if (!isBegun) return index === count ? at + head : at;
      if (size < file.length) return at + localHeaderLength(file) + size;
      at += localHeaderLength(file) + file.length;
    }
  } finally {
    lines.close();
  }
}
