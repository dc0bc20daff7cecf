import type { ByteSource } from '../../provider/byte-source.ts';
import { malformed, PreviewError } from '../../provider/preview-error.ts';

/** The directory of a page: its fields by the numbers of their tags (TIFF 6.0, section 2). */
export interface Directory {
  /** Place of the next page's directory in bytes, 0 after the last. */
  readonly next: number;
  has(tag: number): boolean;
  /** The first number of a field. @throws PreviewError for a field of another type. */
  numberOf(tag: number, otherwise: number): Promise<number>;
  /** At most `maxCount` numbers of a field, none where it is missing. @throws PreviewError as above. */
  listOf(tag: number, maxCount: number): Promise<readonly number[]>;
  /** One number of a long field, without reading the others. @throws PreviewError beyond its end. */
  itemOf(tag: number, index: number): Promise<number>;
  /** Bytes of a field, null where it is missing. @throws PreviewError beyond `maxBytes`. */
  bytesOf(tag: number, maxBytes: number): Promise<Uint8Array | null>;
}

/** How numbers of a file are written. */
export interface TiffForm {
  readonly isLittleEndian: boolean;
  readonly isBig: boolean;
}

interface Field {
  readonly type: number;
  readonly count: number;
  /** Place of the values, in bytes. */
  readonly at: number;
}

const maxEntries = 4096;
/** Bytes of a value by the number of its type (TIFF 6.0, section 2; BigTIFF from 16 on). */
const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/**
 * Reads the fields of a directory, but none of the lists that lie elsewhere.
 *
 * @param offset of the directory, in bytes.
 * @throws PreviewError
 */
export async function readDirectory(source: ByteSource, offset: number, form: TiffForm): Promise<Directory> {
  const { isLittleEndian, isBig } = form;
  const [headBytes, entryBytes, offsetBytes] = isBig ? [8, 20, 8] : [2, 12, 4];
  const head = await viewAt(source, offset, headBytes);
  const entries = isBig ? longOf(head, 0, isLittleEndian) : head.getUint16(0, isLittleEndian);
  if (entries === 0) throw malformed('The TIFF has a directory without entries.');
  if (entries > maxEntries) throw malformed('The TIFF claims a directory of too many entries.');
  const listAt = offset + headBytes;
  const list = await viewAt(source, listAt, entries * entryBytes + offsetBytes);
  const fields = new Map<number, Field>();
  for (let index = 0; index < entries; index += 1) {
    const at = index * entryBytes;
    const type = list.getUint16(at + 2, isLittleEndian);
    const count = isBig ? longOf(list, at + 4, isLittleEndian) : list.getUint32(at + 4, isLittleEndian);
    const valueAt = at + entryBytes - offsetBytes;
    const isHere = count * (typeBytes[type] ?? 0) <= offsetBytes;
    const far = isBig ? longOf(list, valueAt, isLittleEndian) : list.getUint32(valueAt, isLittleEndian);
    fields.set(list.getUint16(at, isLittleEndian), { type, count, at: isHere ? listAt + valueAt : far });
  }
  const nextAt = entries * entryBytes;
  const next = isBig ? longOf(list, nextAt, isLittleEndian) : list.getUint32(nextAt, isLittleEndian);
  return directoryOf(source, fields, next, isLittleEndian);
}

function directoryOf(
  source: ByteSource,
  fields: ReadonlyMap<number, Field>,
  next: number,
  isLittleEndian: boolean,
): Directory {
  async function numbersOf(field: Field, from: number, count: number): Promise<readonly number[]> {
    const bytes = typeBytes[field.type] ?? 0;
    if (bytes === 0 || from + count > field.count) throw malformed('The TIFF has a list that ends too early.');
    const view = await viewAt(source, field.at + from * bytes, count * bytes);
    return Array.from({ length: count }, (_, index) => numberIn(view, index * bytes, field.type, isLittleEndian));
  }
  async function listOf(tag: number, maxCount: number): Promise<readonly number[]> {
    const field = fields.get(tag);
    return field === undefined ? [] : numbersOf(field, 0, Math.min(field.count, maxCount));
  }
  return {
    next,
    has: (tag) => fields.has(tag),
    listOf,
    numberOf: async (tag, otherwise) => (await listOf(tag, 1))[0] ?? otherwise,
    async itemOf(tag, index) {
      const field = fields.get(tag);
      if (field === undefined) throw malformed('The TIFF does not say where its parts are.');
      return (await numbersOf(field, index, 1))[0] ?? 0;
    },
    async bytesOf(tag, maxBytes) {
      const field = fields.get(tag);
      if (field === undefined) return null;
      const bytes = (typeBytes[field.type] ?? 0) * field.count;
      if (bytes > maxBytes)
        throw new PreviewError('limit', 'A list in this picture is larger than a preview reads at once.');
      const view = await viewAt(source, field.at, bytes);
      return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    },
  };
}

/** Bytes of a file. @throws PreviewError where it ends before. */
export async function viewAt(source: ByteSource, offset: number, length: number): Promise<DataView> {
  if (!(offset >= 0 && offset + length <= source.length)) throw malformed('The TIFF names bytes beyond its end.');
  const bytes = await source.read(offset, length);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A number of eight bytes, infinite where it is no place in a file. */
export function longOf(view: DataView, at: number, isLittleEndian: boolean): number {
  const value = view.getBigUint64(at, isLittleEndian);
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(value);
}

function numberIn(view: DataView, at: number, type: number, isLittleEndian: boolean): number {
  switch (type) {
    case 3:
      return view.getUint16(at, isLittleEndian);
    case 4:
    case 9:
    case 13:
      return view.getUint32(at, isLittleEndian);
    case 16:
    case 17:
    case 18:
      return longOf(view, at, isLittleEndian);
    case 1:
    case 7:
      return view.getUint8(at);
    default:
      throw malformed('The TIFF has a number of the wrong type.');
  }
}
