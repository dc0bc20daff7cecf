import type { Curve, RowsPart } from '../messages/content.ts';
import type { ByteSource } from '../provider/byte-source.ts';
import { malformed } from '../provider/preview-error.ts';
import { CurveBuilder, maxPlaces, planSampling } from './common/curve.ts';
import { layoutOf, numberOf, splitRow, splitRows, type TableLayout } from './common/delimited.ts';
import { encodingOf, type Encoding, type FoundEncoding } from './common/encodings.ts';
import { plainContent, type OpenedFile, type Reader } from './reader.ts';
import { readText } from './text.ts';

const maxCurveBytes = 8 * 1024 * 1024;
const windowBytes = 64 * 1024;
/** Windows that are requested at once. */
const windowsAtOnce = 4;
const maxFieldLength = 500;

const tableNames = /\.(?:csv|tsv|tab)$/;
const maybeTableNames = /\.(?:txt|dat|asc|xy|xye|prn|out)$/;

/** CSV, TSV and the tables that instruments write with remarks before them. */
export const csvReader: Reader = {
  matches({ head, name }) {
    const found = encodingOf(head);
    if (found === null || !(tableNames.test(name) || maybeTableNames.test(name))) return false;
    const layout = layoutOf(rowsOf(head, found));
    return layout !== null && (tableNames.test(name) || layout.numeric.includes(true));
  },
  async open(source, { head }): Promise<OpenedFile> {
    const found = encodingOf(head);
    const layout = found === null ? null : layoutOf(rowsOf(head, found));
    if (found === null || layout === null) throw malformed('The text has no columns.');
    const table = new DelimitedTable(source, layout, found, head);
    return {
      content: {
        ...plainContent('Table', layout.numeric.includes(true) ? ['table', 'plot', 'text'] : ['table', 'text']),
        columns: layout.columns.map((name, column) => ({
          name,
          isNumber: layout.numeric[column] === true,
          isWide: false,
        })),
      },
      async answer(question) {
        if (question.kind === 'rows') return table.rows(question.offset);
        if (question.kind === 'curve') return table.curve(question.x, question.y);
        if (question.kind === 'text') return readText(source, question.offset, question.encoding);
        throw malformed('A table has no such part.');
      },
    };
  },
};

function rowsOf(head: Uint8Array, { encoding, markBytes }: FoundEncoding): string[] {
  const rows = splitRows(new TextDecoder(encoding).decode(head.subarray(markBytes)));
  // The last row of the beginning is probably cut.
  return rows.length > 2 && head.length >= windowBytes ? rows.slice(0, -1) : rows;
}

class DelimitedTable {
  readonly #source: ByteSource;
  readonly #layout: TableLayout;
  readonly #encoding: Encoding;
  /** Where rows were found to begin, with the number of the row there. */
  readonly #starts = new Map<number, number>([[0, 1]]);
  readonly #markBytes: number;
  readonly #bytesPerRow: number;

  constructor(source: ByteSource, layout: TableLayout, found: FoundEncoding, head: Uint8Array) {
    this.#source = source;
    this.#layout = layout;
    this.#encoding = found.encoding;
    this.#markBytes = found.markBytes;
    this.#bytesPerRow = Math.max(1, head.length / Math.max(1, rowsOf(head, found).length));
  }

  /** The rows of a part of the file; one that begins within a row leaves that row out. */
  async rows(wanted: number): Promise<RowsPart> {
    const offset = this.#encoding.startsWith('utf-16') ? wanted - ((wanted - this.#markBytes) % 2) : wanted;
    const { text, next } = await readText(this.#source, Math.max(0, offset), this.#encoding);
    const known = this.#starts.get(offset);
    const found = splitRows(known === undefined ? afterLine(text) : text);
    const before = known === 1 ? this.#layout.linesBefore : 0;
    const firstRow = known ?? this.#rowAt(offset);
    const rows = found
      .slice(before)
      .map((row) => splitRow(row, this.#layout.delimiter).map((field) => field.slice(0, maxFieldLength)));
    if (next !== null && known !== undefined) this.#starts.set(next, firstRow + rows.length);
    return { kind: 'rows', offset, next, firstRow, isCounted: known !== undefined, rows };
  }

  /** Windows lie across blocks, and the beginning has been read before. */
  #maxCurveBytes(): number {
    return Math.min(maxCurveBytes, Math.floor(this.#source.maxReadBytes / 4));
  }

  #rowAt(offset: number): number {
    return Math.max(1, Math.round(offset / this.#bytesPerRow) - this.#layout.linesBefore);
  }

  /**
   * A column as a curve over another, or over the numbers of the rows. Of a large file only places
   * spread over it are read.
   */
  async curve(x: number | null, y: number): Promise<Curve> {
    const { columns } = this.#layout;
    const yName = columns[y];
    if (yName === undefined || (x !== null && columns[x] === undefined)) throw malformed('There is no such column.');
    const plan = planSampling(this.#source.length, this.#maxCurveBytes(), windowBytes);
    const builder = new CurveBuilder();
    let counted = 0;
    let bytesCounted = 0;
    for (let at = 0; at < plan.starts.length; at += windowsAtOnce) {
      const starts = plan.starts.slice(at, at + windowsAtOnce);
      const parts = await Promise.all(starts.map(async (start) => this.#source.read(start, plan.windowLength)));
      for (const [index, bytes] of parts.entries()) {
        const start = starts[index] ?? 0;
        const values = this.#values(bytes, start, start + bytes.length >= this.#source.length, x, y);
        builder.add(values.x, values.y, Math.ceil(maxPlaces / plan.starts.length));
        counted += values.y.length;
        bytesCounted += bytes.length;
      }
    }
    return builder.build({
      xName: x === null ? 'Row' : (columns[x] ?? ''),
      yName,
      of: plan.isSampled ? Math.round((counted / bytesCounted) * this.#source.length) : counted,
      isSampled: plan.isSampled,
    });
  }

  #values(bytes: Uint8Array, start: number, isLast: boolean, x: number | null, y: number) {
    const even = this.#encoding.startsWith('utf-16') ? bytes.subarray((start - this.#markBytes) % 2) : bytes;
    const text = new TextDecoder(this.#encoding).decode(even);
    const rows = splitRows(start === 0 ? text : afterLine(text)).slice(start === 0 ? this.#layout.linesBefore : 0);
    if (!isLast) rows.pop();
    const first = start === 0 ? 1 : this.#rowAt(start);
    const fields = rows.map((row) => splitRow(row, this.#layout.delimiter));
    return {
      x: Float64Array.from(fields, (row, index) => (x === null ? first + index : numberOf(row[x]))),
      y: Float64Array.from(fields, (row) => numberOf(row[y])),
    };
  }
}

function afterLine(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? '' : text.slice(end + 1);
}
