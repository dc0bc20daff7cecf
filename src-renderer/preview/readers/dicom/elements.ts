import { malformed, PreviewError } from '../../provider/preview-error.ts';
import type { Unpacked } from '../common/unpack-by-range.ts';
import { knownElement } from './dictionary.ts';

/** How the elements of a data set are written. */
export interface Syntax {
  readonly isExplicit: boolean;
  readonly isLittle: boolean;
}

/** Where elements stand, in bytes of the source. */
export interface Extent {
  readonly from: number;
  readonly to: number;
  /** Ends before the first element of another group, which may be written in another way. */
  readonly onlyGroup?: string | null;
}

export interface Element {
  /** Eight hexadecimal digits, such as `00100010`. */
  readonly tag: string;
  readonly type: string;
  /** Bytes; null where the end is marked instead. */
  readonly length: number | null;
  /** Where its value begins, in bytes of the source. */
  readonly at: number;
  /** Number of sequences around it. */
  readonly depth: number;
  readonly isLittle: boolean;
}

/** The container of the elements at a place. */
interface Level {
  /** `fragments`: parts of a packed value, which hold no elements. */
  readonly kind: 'sequence' | 'item' | 'fragments';
  /** Where it ends at the latest; some say so only by a mark. */
  readonly end: number;
  readonly isExplicit: boolean;
}

const undefinedLength = 0xffff_ffff;
const maxDepth = 32;
/** Items need no row of a table, so that elements alone would not end a walk. */
const maxSteps = 100_000;
const windowBytes = 16 * 1024;
const longTypes = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'SQ', 'SV', 'UC', 'UN', 'UR', 'UT', 'UV']);
const item = 'fffee000';
const itemEnd = 'fffee00d';
const sequenceEnd = 'fffee0dd';

/**
 * Walks the elements of a data set (PS3.5 section 7), those of sequences after their sequence. Each
 * step goes on in the file, so that every walk ends.
 *
 * @throws PreviewError for lengths that lead beyond what contains them.
 */
export async function* elementsOf(
  source: Unpacked,
  { from, to, onlyGroup = null }: Extent,
  { isExplicit, isLittle }: Syntax,
): AsyncGenerator<Element> {
  const bytesAt = windowsOf(source);
  const levels: Level[] = [];
  let at = from;
  for (let step = 0; at < to; step += 1) {
    if (step === maxSteps) throw new PreviewError('limit', 'The file has more elements than a preview reads.');
    while ((levels.at(-1)?.end ?? to) <= at) levels.pop();
    const level = levels.at(-1) ?? { kind: 'item', end: to, isExplicit };
    const bytes = await bytesAt(at);
    if (onlyGroup !== null && !isOfGroup(bytes, onlyGroup, isLittle)) return;
    const header = headerIn(bytes, { isExplicit: level.isExplicit, isLittle });
    if (header === null) return;
    const { tag, type, length } = header;
    const begin = at + header.bytes;
    const end = length === null ? level.end : begin + length;
    if (end > level.end) throw malformed(`The element ${named(tag)} is longer than what it stands in.`);
    const inner = innerOf(header, level, end);
    if (!tag.startsWith('fffe')) {
      const depth = levels.filter(({ kind }) => kind === 'item').length;
      yield { tag, type, length, at: begin, depth, isLittle };
    }
    if (tag === itemEnd || tag === sequenceEnd) leave(levels, tag === itemEnd ? ['item'] : ['sequence', 'fragments']);
    if (levels.length > maxDepth) throw new PreviewError('limit', 'The file has sequences inside of too many others.');
    if (inner !== null) levels.push(inner);
    at = inner === null && length !== null ? end : begin;
  }
}

/** The level that an element opens; null for one with a value. */
function innerOf({ tag, type, length }: Header, { kind, isExplicit }: Level, end: number): Level | null {
  if (tag === item) return kind === 'fragments' ? null : { kind: 'item', end, isExplicit };
  if (tag.startsWith('fffe') || (type !== 'SQ' && length !== null)) return null;
  if (type === 'OB' || type === 'OW') return { kind: 'fragments', end, isExplicit };
  // An element of unknown type and length is written without types (PS3.5 section 6.2.2).
  return { kind: 'sequence', end, isExplicit: type === 'UN' ? false : isExplicit };
}

/** Closes levels up to the innermost of some kinds, if there is one. */
function leave(levels: Level[], kinds: readonly Level['kind'][]): void {
  const place = levels.findLastIndex(({ kind }) => kinds.includes(kind));
  if (place >= 0) levels.length = place;
}

function isOfGroup(bytes: Uint8Array, group: string, isLittle: boolean): boolean {
  const [first = 0, second = 0] = isLittle ? [bytes[1], bytes[0]] : bytes;
  return ((first << 8) | second) === Number.parseInt(group, 16);
}

const named = (tag: string): string => `(${tag.slice(0, 4)},${tag.slice(4)})`;

interface Header {
  readonly tag: string;
  readonly type: string;
  readonly length: number | null;
  readonly bytes: number;
}

/** @returns null for the rest of a data set that is too short for an element. */
function headerIn(bytes: Uint8Array, { isExplicit, isLittle }: Syntax): Header | null {
  if (bytes.length < 8) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hex = (at: number): string => view.getUint16(at, isLittle).toString(16).padStart(4, '0');
  const tag = hex(0) + hex(2);
  const lengthOf = (length: number): number | null => (length === undefinedLength ? null : length);
  if (!isExplicit || tag.startsWith('fffe'))
    return { tag, type: knownElement(tag)?.type ?? '', length: lengthOf(view.getUint32(4, isLittle)), bytes: 8 };
  const type = String.fromCharCode(bytes[4] ?? 0, bytes[5] ?? 0);
  if (!/^[A-Z]{2}$/.test(type)) throw malformed(`The element ${named(tag)} has no type where one belongs.`);
  if (!longTypes.has(type)) return { tag, type, length: view.getUint16(6, isLittle), bytes: 8 };
  if (bytes.length < 12) return null;
  return { tag, type, length: lengthOf(view.getUint32(8, isLittle)), bytes: 12 };
}

/** Reads the next bytes from a place, many elements with one read. */
function windowsOf(source: Unpacked): (at: number) => Promise<Uint8Array> {
  let [start, window] = [0, new Uint8Array() as Uint8Array];
  return async (at) => {
    if (at < start || at + 12 > start + window.length) {
      start = at;
      window = await source.read(at, windowBytes);
    }
    return window.subarray(at - start);
  };
}
