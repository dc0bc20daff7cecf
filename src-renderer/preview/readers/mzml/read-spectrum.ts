import type { ByteSource } from '../../provider/byte-source.ts';
import { malformed, PreviewError } from '../../provider/preview-error.ts';
import { unpackZlib } from '../common/unpack.ts';

const firstBytes = 64 * 1024;
const maxBytes = 16 * 1024 * 1024;
const maxUnpackedBytes = 32 * 1024 * 1024;
const latin1 = new TextDecoder('latin1');

export interface Spectrum {
  readonly id: string;
  readonly x: Float64Array | Float32Array;
  readonly y: Float64Array | Float32Array;
}

/** Reads the spectrum that begins at an offset, with as little after it as its size allows. */
export async function readSpectrum(source: ByteSource, offset: number): Promise<Spectrum> {
  for (let bytes = firstBytes; ; bytes *= 4) {
    const text = latin1.decode(await source.read(offset, Math.min(bytes, maxBytes)));
    const end = text.indexOf('</spectrum>');
    if (end >= 0) return spectrumOf(text.slice(0, end));
    if (offset + bytes >= source.length) throw malformed('The spectrum has no end.');
    if (bytes >= maxBytes)
      throw new PreviewError('limit', 'The spectrum is larger than the 16 MiB that a preview reads of one.');
  }
}

async function spectrumOf(text: string): Promise<Spectrum> {
  const id = /\bid="([^"]{0,300})"/.exec(text)?.[1] ?? '';
  let [x, y]: (Float64Array | Float32Array | null)[] = [null, null];
  for (const [array = ''] of text.matchAll(/<binaryDataArray\b[\s\S]*?<\/binaryDataArray>/g)) {
    // Accessions of the PSI-MS vocabulary: m/z array and intensity array.
    if (array.includes('MS:1000514')) x = await valuesOf(array);
    else if (array.includes('MS:1000515')) y = await valuesOf(array);
  }
  return { id, x: x ?? new Float64Array(), y: y ?? new Float64Array() };
}

async function valuesOf(array: string): Promise<Float64Array | Float32Array> {
  const packed = /<binary>\s*([A-Za-z0-9+/=\s]*)<\/binary>/.exec(array)?.[1] ?? '';
  const bytes = Uint8Array.from(atob(packed.replaceAll(/\s/g, '')), (letter) => letter.charCodeAt(0));
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
