import type { ByteSource } from '../../provider/byte-source.ts';
import { malformed, PreviewError } from '../../provider/preview-error.ts';
import { unpackZlib } from '../common/unpack.ts';

const firstBytes = 64 * 1024;
const maxBytes = 16 * 1024 * 1024;
const maxUnpackedBytes = 32 * 1024 * 1024;
const latin1 = new TextDecoder('latin1');

/** Values of a spectrum or a chromatogram. */
export interface Trace {
  readonly id: string;
  readonly x: Float64Array | Float32Array;
  readonly y: Float64Array | Float32Array;
  /** Name and unit of `x`. */
  readonly xName: string;
}

/** Reads the spectrum that begins at an offset, with as little after it as its size allows. */
export async function readSpectrum(source: ByteSource, offset: number): Promise<Trace> {
  return traceOf(await elementAt(source, offset, 'spectrum'), 'MS:1000514', () => 'm/z');
}

/** Reads the chromatogram that begins at an offset. */
export async function readChromatogram(source: ByteSource, offset: number): Promise<Trace> {
  const text = await elementAt(source, offset, 'chromatogram');
  // Accessions of the vocabulary of units: minute and second.
  return traceOf(text, 'MS:1000595', (array) =>
    array.includes('UO:0000031') ? 'Time (min)' : array.includes('UO:0000010') ? 'Time (s)' : 'Time',
  );
}

async function elementAt(source: ByteSource, offset: number, element: 'spectrum' | 'chromatogram'): Promise<string> {
  for (let bytes = firstBytes; ; bytes *= 4) {
    const text = latin1.decode(await source.read(offset, Math.min(bytes, maxBytes)));
    if (!new RegExp(`^\\s*<${element}\\b`).test(text))
      throw malformed(`The index of the file names places where no ${element} is.`);
    const end = text.indexOf(`</${element}>`);
    if (end >= 0) return text.slice(0, end);
    if (offset + bytes >= source.length) throw malformed(`The ${element} has no end.`);
    if (bytes >= maxBytes)
      throw new PreviewError('limit', `The ${element} is larger than the 16 MiB that a preview reads of one.`);
  }
}

async function traceOf(text: string, accessionOfX: string, nameOfX: (array: string) => string): Promise<Trace> {
  const id = /\bid="([^"]{0,300})"/.exec(text)?.[1] ?? '';
  let [x, y]: (Float64Array | Float32Array | null)[] = [null, null];
  let xName = nameOfX('');
  for (const [array = ''] of text.matchAll(/<binaryDataArray\b[\s\S]*?<\/binaryDataArray>/g)) {
    // Accessions of the PSI-MS vocabulary: m/z array, time array and intensity array.
    if (array.includes(accessionOfX)) {
      x = await valuesOf(array);
      xName = nameOfX(array);
    } else if (array.includes('MS:1000515')) y = await valuesOf(array);
  }
  return { id, x: x ?? new Float64Array(), y: y ?? new Float64Array(), xName };
}

async function valuesOf(array: string): Promise<Float64Array | Float32Array> {
  const packed = /<binary>\s*([A-Za-z0-9+/=\s]*)<\/binary>/.exec(array)?.[1] ?? '';
  const bytes = Uint8Array.from(lettersOf(packed), (letter) => letter.charCodeAt(0));
  const isZlib = array.includes('MS:1000574');
  if (!isZlib && !array.includes('MS:1000576'))
    throw new PreviewError(
      'limit',
      'The values are packed in a way that a preview cannot unpack, such as MS-Numpress.',
    );
  const plain = isZlib ? await unpackZlib(bytes, maxUnpackedBytes) : bytes;
  const size = array.includes('MS:1000521') ? 4 : 8;
  const whole = plain.slice(0, plain.length - (plain.length % size)).buffer;
  return size === 4 ? new Float32Array(whole) : new Float64Array(whole);
}

function lettersOf(packed: string): string {
  try {
    return atob(packed.replaceAll(/\s/g, ''));
  } catch {
    throw malformed('The values are no Base64.');
  }
}
