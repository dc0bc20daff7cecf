import type { Curve } from '../messages/content.ts';
import { malformed, PreviewError } from '../provider/preview-error.ts';
import { CurveBuilder, maxPlaces } from './common/curve.ts';
import { ordinatesOf } from './jcamp/ordinates.ts';
import { plainContent, type OpenedFile, type Reader } from './reader.ts';
import { readText } from './text.ts';

const maxBytes = 16 * 1024 * 1024;
const maxValues = 4_000_000;

interface Spectrum {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly xName: string;
  readonly yName: string;
}

/** The first spectrum of a JCAMP-DX file, in all forms of its values. */
export const jcampReader: Reader = {
  matches: ({ head, name }) =>
    /\.(?:jdx|dx|jcm|jcamp)$/.test(name) &&
    /^\s*##TITLE=/i.test(new TextDecoder('latin1').decode(head.subarray(0, 4096))),
  async open(source): Promise<OpenedFile> {
    if (source.length > maxBytes)
      throw new PreviewError('limit', 'The spectrum is larger than the 16 MiB that a preview reads.');
    const spectrum = spectrumIn(new TextDecoder('latin1').decode(await source.read(0, source.length)));
    const hasValues = spectrum.y.length > 0;
    return {
      content: {
        ...plainContent(
          'JCAMP-DX spectrum',
          hasValues ? ['plot', 'text'] : ['text'],
          hasValues ? [] : ['It has no values that are drawn.'],
        ),
        columns: [
          { name: spectrum.xName, isNumber: true, isWide: false },
          { name: spectrum.yName, isNumber: true, isWide: false },
        ],
      },
      async answer(question): Promise<Curve | Awaited<ReturnType<typeof readText>>> {
        if (question.kind === 'text') return readText(source, question.offset, question.encoding);
        if (question.kind !== 'curve') throw malformed('A spectrum has no such part.');
        const [x, y] = [columnOf(spectrum, question.x), columnOf(spectrum, question.y)];
        const builder = new CurveBuilder();
        builder.add(x ?? y?.map((_, at) => at + 1) ?? [], y ?? [], maxPlaces);
        const xName = question.x === null ? 'Row' : question.x === 0 ? spectrum.xName : spectrum.yName;
        const yName = question.y === 0 ? spectrum.xName : spectrum.yName;
        return builder.build({ xName, yName, of: spectrum.y.length, isSampled: false });
      },
    };
  },
};

function columnOf({ x, y }: Spectrum, column: number | null): readonly number[] | null {
  return column === null ? null : column === 0 ? x : column === 1 ? y : null;
}

/** Labelled records up to the end of the first table (JCAMP-DX 4.24, section 3). */
function spectrumIn(text: string): Spectrum {
  const labels = new Map<string, string>();
  let lines: readonly string[] = [];
  let form = '';
  for (const record of text.split(/^##/m).slice(1)) {
    const equals = record.indexOf('=');
    if (equals < 0) continue;
    const label = record
      .slice(0, equals)
      .toUpperCase()
      .replaceAll(/[\s/_-]/g, '');
    const value = record.slice(equals + 1).replaceAll(/\$\$.*$/gm, '');
    if (['XYDATA', 'XYPOINTS', 'PEAKTABLE'].includes(label)) {
      const [first = '', ...rest] = value.split(/\r?\n/);
      [form, lines] = [first.trim().toUpperCase(), rest.filter((line) => line.trim() !== '')];
      break;
    }
    if (!labels.has(label)) labels.set(label, value.trim());
  }
  const names = { xName: labels.get('XUNITS') ?? 'X', yName: labels.get('YUNITS') ?? 'Y' };
  return { ...(form.includes('++') ? equidistant(labels, lines) : pairs(labels, lines)), ...names };
}

function numberOf(labels: ReadonlyMap<string, string>, label: string): number | null {
  const value = Number((labels.get(label) ?? '').replace(',', '.'));
  return labels.has(label) && Number.isFinite(value) ? value : null;
}

function equidistant(labels: ReadonlyMap<string, string>, lines: readonly string[]): Pick<Spectrum, 'x' | 'y'> {
  const factor = numberOf(labels, 'YFACTOR') ?? 1;
  const y = ordinatesOf(lines, maxValues).map((value) => value * factor);
  const first = numberOf(labels, 'FIRSTX') ?? 0;
  const last = numberOf(labels, 'LASTX');
  const step = last === null || y.length < 2 ? (numberOf(labels, 'DELTAX') ?? 1) : (last - first) / (y.length - 1);
  return { x: y.map((_, at) => first + at * step), y };
}

function pairs(labels: ReadonlyMap<string, string>, lines: readonly string[]): Pick<Spectrum, 'x' | 'y'> {
  const numbers = (lines.join(' ').match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/g) ?? [])
    .slice(0, maxValues)
    .map(Number);
  const [xFactor, yFactor] = [numberOf(labels, 'XFACTOR') ?? 1, numberOf(labels, 'YFACTOR') ?? 1];
  return {
    x: numbers.filter((_, at) => at % 2 === 0).map((value) => value * xFactor),
    y: numbers.filter((_, at) => at % 2 === 1).map((value) => value * yFactor),
  };
}
