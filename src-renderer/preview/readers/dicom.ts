import type { RowsPart } from '../messages/content.ts';
import type { ByteSource } from '../provider/byte-source.ts';
import { malformed, PreviewError } from '../provider/preview-error.ts';
import { unpackByRange, type Unpacked } from './common/unpack-by-range.ts';
import { hasText } from './common/magic.ts';
import { knownElement } from './dicom/dictionary.ts';
import { elementsOf, type Element, type Syntax } from './dicom/elements.ts';
import { encodingOf, maxValueBytes, valueText } from './dicom/values.ts';
import { plainContent, type OpenedFile, type Reader } from './reader.ts';

const metaAt = 132;
const maxMetaBytes = 64 * 1024;
const maxElements = 3000;
const pixelData = '7fe00010';

const columns = [
  { name: 'Name', isNumber: false, isWide: true },
  { name: 'Value', isNumber: false, isWide: true },
  { name: 'Tag', isNumber: false, isWide: false },
  { name: 'Type', isNumber: false, isWide: false },
];

interface Found {
  readonly rows: readonly (readonly string[])[];
  readonly notes: readonly string[];
}

/** Elements of a DICOM file up to its pixels, which are not drawn. */
export const dicomReader: Reader = {
  matches: ({ head }) => hasText(head, 128, 'DICM'),
  async open(source): Promise<OpenedFile> {
    const { rows, notes } = await headerOf(source);
    return {
      content: { ...plainContent('DICOM file', ['table'], notes), columns },
      async answer(question): Promise<RowsPart> {
        if (question.kind !== 'rows') throw malformed('A DICOM file has no such part.');
        return { kind: 'rows', offset: question.offset, next: null, firstRow: 1, isCounted: true, rows };
      },
    };
  },
};

async function headerOf(source: ByteSource): Promise<Found> {
  const meta = new HeaderTable(source);
  const explicit: Syntax = { isExplicit: true, isLittle: true };
  const extent = { from: metaAt, to: Math.min(source.length, metaAt + maxMetaBytes), onlyGroup: '0002' };
  let end = metaAt;
  for await (const element of elementsOf(source, extent, explicit)) {
    await meta.add(element);
    end = element.at + (element.length ?? 0);
  }
  const uid = meta.syntax;
  if (uid === null) throw malformed('The file does not say how its elements are written.');
  const body = bodyOf(source, uid, end);
  const table = new HeaderTable(body.source, meta.rows);
  try {
    for await (const element of elementsOf(body.source, body.extent, body.syntax)) {
      if (!(await table.add(element))) break;
    }
  } catch (error) {
    // Elements before the damage are worth seeing.
    if (!(error instanceof PreviewError) || error.reason !== 'malformed' || table.rows.length === meta.rows.length)
      throw error;
    table.notes.push(`The elements end here. ${error.message}`);
  }
  return table;
}

/** How the data set after the first group is written, and where it stands. */
function bodyOf(source: ByteSource, uid: string, from: number) {
  const syntax: Syntax = { isExplicit: uid !== '1.2.840.10008.1.2', isLittle: uid !== '1.2.840.10008.1.2.2' };
  if (uid !== '1.2.840.10008.1.2.1.99') return { source, extent: { from, to: source.length }, syntax };
  const unpacked = unpackByRange(source, { format: 'deflate-raw', from });
  return { source: unpacked, extent: { from: 0, to: Number.MAX_SAFE_INTEGER }, syntax };
}

/** Rows of elements, in the character set that they name themselves. */
class HeaderTable implements Found {
  readonly rows: (readonly string[])[];
  readonly notes: string[] = ['The pixels are not drawn.'];
  /** Transfer syntax of the data set; null before it was read. */
  syntax: string | null = null;
  readonly #source: Unpacked;
  #encoding = 'latin1';

  constructor(source: Unpacked, before: readonly (readonly string[])[] = []) {
    this.#source = source;
    this.rows = [...before];
  }

  /** @returns whether more elements are wanted. */
  async add(element: Element): Promise<boolean> {
    const { tag, depth } = element;
    if (this.rows.length >= maxElements) {
      this.notes.push(`Only the first ${maxElements} elements are shown.`);
      return false;
    }
    const known = knownElement(tag);
    const name = known?.name ?? (isPrivate(tag) ? 'Private element' : '');
    // Of files without types some are known.
    const type = element.type === '' || element.type === 'UN' ? (known?.type ?? element.type) : element.type;
    const value = await this.#valueOf({ ...element, type });
    this.rows.push([`${'› '.repeat(depth)}${name}`, value, `${tag.slice(0, 4)},${tag.slice(4)}`.toUpperCase(), type]);
    return tag !== pixelData || depth > 0;
  }

  async #valueOf({ tag, type, length, at, isLittle }: Element): Promise<string> {
    if (tag === pixelData) return length === null ? 'Packed' : `${length} bytes`;
    if (type === 'SQ' || length === null) return '';
    const bytes = await this.#source.read(at, Math.min(length, maxValueBytes));
    const value = valueText(bytes, length, { type, isLittle, encoding: this.#encoding });
    if (tag === '00080005') this.#encoding = encodingOf(value.replaceAll(' \\ ', '\\'));
    if (tag === '00020010') this.syntax = /^[\d.]*/.exec(value)?.[0] ?? null;
    return value;
  }
}

/** Elements of groups with odd numbers belong to manufacturers (PS3.5 section 7.8). */
function isPrivate(tag: string): boolean {
  return Number.parseInt(tag.slice(0, 4), 16) % 2 === 1;
}
