import { nameOfIdentifier } from './dictionary.ts';

/** Longest value that is read, in bytes. */
export const maxValueBytes = 2048;
const maxValues = 16;

const texts = new Set([
  'AE',
  'AS',
  'CS',
  'DA',
  'DS',
  'DT',
  'IS',
  'LO',
  'LT',
  'PN',
  'SH',
  'ST',
  'TM',
  'UC',
  'UI',
  'UR',
  'UT',
]);
/** Types whose text has the character set of the file; all others are ASCII. */
const international = new Set(['LO', 'LT', 'PN', 'SH', 'ST', 'UC', 'UT']);

type Read = (view: DataView, at: number, isLittle: boolean) => string;
const numbers: Readonly<Record<string, { readonly size: number; readonly read: Read }>> = {
  US: { size: 2, read: (view, at, little) => String(view.getUint16(at, little)) },
  SS: { size: 2, read: (view, at, little) => String(view.getInt16(at, little)) },
  UL: { size: 4, read: (view, at, little) => String(view.getUint32(at, little)) },
  SL: { size: 4, read: (view, at, little) => String(view.getInt32(at, little)) },
  UV: { size: 8, read: (view, at, little) => String(view.getBigUint64(at, little)) },
  SV: { size: 8, read: (view, at, little) => String(view.getBigInt64(at, little)) },
  FL: { size: 4, read: (view, at, little) => String(Number(view.getFloat32(at, little).toPrecision(7))) },
  FD: { size: 8, read: (view, at, little) => String(view.getFloat64(at, little)) },
  AT: {
    size: 4,
    read: (view, at, little) =>
      [view.getUint16(at, little), view.getUint16(at + 2, little)]
        .map((half) => half.toString(16).padStart(4, '0'))
        .join(','),
  },
};

/** Character sets without code extensions (PS3.3 C.12.1.1.2), as the browser names them. */
const charsets: Readonly<Record<string, string>> = {
  'ISO_IR 100': 'latin1',
  'ISO_IR 101': 'iso-8859-2',
  'ISO_IR 109': 'iso-8859-3',
  'ISO_IR 110': 'iso-8859-4',
  'ISO_IR 144': 'iso-8859-5',
  'ISO_IR 127': 'iso-8859-6',
  'ISO_IR 126': 'iso-8859-7',
  'ISO_IR 138': 'iso-8859-8',
  'ISO_IR 148': 'windows-1254',
  'ISO_IR 13': 'shift_jis',
  'ISO_IR 166': 'windows-874',
  'ISO_IR 192': 'utf-8',
  GB18030: 'gb18030',
  GBK: 'gbk',
};

/** The encoding of a value of (0008,0005); Latin for one that is not known. */
export function encodingOf(characterSet: string): string {
  const first = characterSet.split('\\')[0]?.trim() ?? '';
  return charsets[first.replace('ISO 2022 IR', 'ISO_IR')] ?? 'latin1';
}

export interface ValueForm {
  readonly type: string;
  readonly isLittle: boolean;
  /** Encoding of texts. */
  readonly encoding: string;
}

/** A value as a text; `length` is its whole length, of which the bytes may be the beginning. */
export function valueText(bytes: Uint8Array, length: number, { type, isLittle, encoding }: ValueForm): string {
  const isCut = length > bytes.length;
  if (texts.has(type)) {
    const decoder = new TextDecoder(international.has(type) ? encoding : 'latin1');
    const parts = decoder.decode(bytes).replaceAll('\0', '').split('\\');
    const named = type === 'UI' ? parts.map(withName) : parts;
    return `${named.map((part) => part.trim()).join(' \\ ')}${isCut ? '…' : ''}`;
  }
  const number = numbers[type];
  if (number === undefined || length % number.size !== 0) return length === 0 ? '' : `${length} bytes`;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = Math.min(maxValues, Math.floor(bytes.length / number.size));
  const values = Array.from({ length: count }, (_, at) => number.read(view, at * number.size, isLittle));
  const more = length / number.size - count;
  return `${values.join(' \\ ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function withName(uid: string): string {
  const name = nameOfIdentifier(uid.trim());
  return name === null ? uid : `${uid.trim()} (${name})`;
}
