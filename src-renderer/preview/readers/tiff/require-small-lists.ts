import type { ByteSource } from '../../provider/byte-source.ts';
import { malformed, PreviewError } from '../../provider/preview-error.ts';

/** Bytes that one list of a directory may have, such as the offsets of two million tiles. */
const maxListBytes = 16 * 1024 * 1024;
const maxEntries = 4096;
/** Bytes of a value by the number of its type (TIFF 6.0, section 2; BigTIFF from 16 on). */
const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

interface Form {
  readonly littleEndian: boolean;
  readonly bigTiff: boolean;
}

/**
 * Refuses a directory with a list that claims to be long, because the library makes room for what a
 * list claims before it reads.
 *
 * @param offset of the directory, in bytes.
 * @throws PreviewError
 */
export async function requireSmallLists(source: ByteSource, offset: number, form: Form): Promise<void> {
  const [headBytes, entryBytes] = form.bigTiff ? [8, 20] : [2, 12];
  // The library says that there is no directory.
  if (!(offset >= 0 && offset + headBytes <= source.length)) return;
  const head = viewOf(await source.read(offset, headBytes));
  const entries = form.bigTiff ? Number(head.getBigUint64(0, form.littleEndian)) : head.getUint16(0, form.littleEndian);
  if (entries > maxEntries) throw malformed('The TIFF claims a directory of too many entries.');
  const list = viewOf(await source.read(offset + headBytes, entries * entryBytes));
  for (let at = 0; at + entryBytes <= list.byteLength; at += entryBytes) {
    const bytes = typeBytes[list.getUint16(at + 2, form.littleEndian)] ?? 0;
    const count = form.bigTiff
      ? Number(list.getBigUint64(at + 4, form.littleEndian))
      : list.getUint32(at + 4, form.littleEndian);
    if (bytes * count > maxListBytes)
      throw new PreviewError('limit', 'A list in this picture is larger than a preview reads at once.');
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
