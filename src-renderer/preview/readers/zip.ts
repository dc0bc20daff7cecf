import type { RowsPart } from '../messages/content.ts';
import type { ByteSource } from '../provider/byte-source.ts';
import { malformed } from '../provider/preview-error.ts';
import { hasBytes } from './common/magic.ts';
import { plainContent, type OpenedFile, type Reader } from './reader.ts';

const mebibyte = 1024 * 1024;
/** Of a longer list of members only the beginning is read. */
const maxListBytes = 4 * mebibyte;
/** An end record may be followed by a remark of 64 KiB (APPNOTE 4.3.16). */
const maxEndBytes = 66_000;
const rowsPerPart = 1000;

const columns = [
  { name: 'Name', isNumber: false, isWide: true },
  { name: 'Bytes', isNumber: true, isWide: false },
  { name: 'Packed', isNumber: true, isWide: false },
  { name: 'Changed', isNumber: false, isWide: true },
];

/** Names and sizes of what is in a ZIP archive; nothing is unpacked. */
export const zipReader: Reader = {
  matches: ({ head }) => hasBytes(head, 0, [0x50, 0x4b, 3, 4]) || hasBytes(head, 0, [0x50, 0x4b, 5, 6]),
  async open(source): Promise<OpenedFile> {
    const place = await directoryOf(source);
    const bytes = await source.read(place.offset, Math.min(place.length, maxListBytes));
    const members = membersIn(bytes);
    if (members.length === 0 && place.count > 0) throw malformed('The list of the archive is damaged.');
    const notes =
      members.length < place.count ? [`Only the first ${members.length} of ${place.count} members are listed.`] : [];
    return {
      content: { ...plainContent('ZIP archive', ['table'], notes), columns },
      async answer(question): Promise<RowsPart> {
        if (question.kind !== 'rows') throw malformed('An archive has no such part.');
        return partOf(members, question.offset, source.length);
      },
    };
  },
};

interface Directory {
  readonly offset: number;
  readonly length: number;
  readonly count: number;
}

async function directoryOf(source: ByteSource): Promise<Directory> {
  const from = Math.max(0, source.length - maxEndBytes);
  const bytes = await source.read(from, source.length - from);
  const view = viewOf(bytes);
  for (let at = bytes.length - 22; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== 0x06054b50) continue;
    const small = {
      count: view.getUint16(at + 10, true),
      length: view.getUint32(at + 12, true),
      offset: view.getUint32(at + 16, true),
    };
    const isLarge = small.count === 0xffff || small.length === 0xffff_ffff || small.offset === 0xffff_ffff;
    const found = isLarge ? await largeDirectory(source, bytes, at) : small;
    if (found.offset + found.length > source.length) throw malformed('The list of the archive lies beyond its end.');
    return found;
  }
  throw malformed('The archive has no list at its end. It may have been cut off.');
}

/** The record of ZIP64, whose place stands before the end record (APPNOTE 4.3.14 and 4.3.15). */
async function largeDirectory(source: ByteSource, bytes: Uint8Array, end: number): Promise<Directory> {
  const locator = end - 20;
  if (locator < 0 || viewOf(bytes).getUint32(locator, true) !== 0x07064b50)
    throw malformed('The archive is large, and lacks the record that says where its list is.');
  const record = viewOf(await source.read(numberAt(viewOf(bytes), locator + 8), 56));
  if (record.byteLength < 56 || record.getUint32(0, true) !== 0x06064b50)
    throw malformed('The record of the archive’s list is damaged.');
  return { count: numberAt(record, 32), length: numberAt(record, 40), offset: numberAt(record, 48) };
}

interface ZipMember {
  readonly name: string;
  readonly bytes: number;
  readonly packed: number;
  readonly changed: string;
}

function membersIn(bytes: Uint8Array): readonly ZipMember[] {
  const view = viewOf(bytes);
  const members: ZipMember[] = [];
  for (let at = 0; at + 46 <= bytes.length && view.getUint32(at, true) === 0x02014b50;) {
    const [nameLength, extraLength, remarkLength] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const extraAt = at + 46 + (nameLength ?? 0);
    const next = extraAt + (extraLength ?? 0) + (remarkLength ?? 0);
    if (next > bytes.length) break;
    const sizes = { packed: view.getUint32(at + 20, true), bytes: view.getUint32(at + 24, true) };
    members.push({
      name: new TextDecoder().decode(bytes.subarray(at + 46, extraAt)),
      ...largeSizes(view, extraAt, extraLength ?? 0, sizes),
      changed: timeOf(view.getUint16(at + 14, true), view.getUint16(at + 12, true)),
    });
    at = next;
  }
  return members;
}

/** Sizes that do not fit into 32 bits stand in an extra field, the unpacked one first (APPNOTE 4.5.3). */
function largeSizes(view: DataView, from: number, length: number, sizes: { packed: number; bytes: number }) {
  let { packed, bytes } = sizes;
  for (let at = from; at + 4 <= from + length;) {
    const [id, size] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    let place = at + 4;
    if (id === 1) {
      const end = Math.min(place + size, from + length);
      if (bytes === 0xffff_ffff && place + 8 <= end) {
        bytes = numberAt(view, place);
        place += 8;
      }
      if (packed === 0xffff_ffff && place + 8 <= end) packed = numberAt(view, place);
    }
    at += 4 + size;
  }
  return { packed, bytes };
}

/** The time of MS-DOS, in that of the computer that packed it. */
function timeOf(date: number, time: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${1980 + (date >> 9)}-${two((date >> 5) & 15)}-${two(date & 31)}`;
  return date === 0 ? '' : `${day} ${two(time >> 11)}:${two((time >> 5) & 63)}`;
}

/** The place of a row follows from its number, so that the file's length is that of the list. */
function partOf(members: readonly ZipMember[], offset: number, length: number): RowsPart {
  const first = Math.min(members.length, Math.floor((offset * members.length) / Math.max(1, length)));
  const rows = members
    .slice(first, first + rowsPerPart)
    .map(({ name, bytes, packed, changed }) => [name, String(bytes), String(packed), changed]);
  const end = first + rows.length;
  const next = end < members.length ? Math.ceil((end * length) / members.length) : null;
  return { kind: 'rows', offset, next, firstRow: first + 1, isCounted: true, rows };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function numberAt(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}
