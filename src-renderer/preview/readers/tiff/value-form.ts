import { malformed, PreviewError } from '../../provider/preview-error.ts';
import type { Directory } from './directory.ts';
import { requireKnownMethod } from './unpack-block.ts';

/** How the values of a page lie in its tiles. */
export interface ValueForm {
  readonly bits: number;
  /** 1 whole, 2 with sign, 3 floating (TIFF 6.0, SampleFormat). */
  readonly format: 1 | 2 | 3;
  readonly samples: number;
  /** Samples that lie together in a tile: 1 where each has tiles of its own. */
  readonly together: number;
  readonly isLittleEndian: boolean;
  readonly method: number;
  readonly predictor: number;
  readonly photometric: number;
}

const wholeBits = new Set([1, 2, 4, 8, 12, 16, 32]);
const maxSamples = 1000;

/** @throws PreviewError for values that are not drawn. */
export async function valueFormOf(directory: Directory, isLittleEndian: boolean): Promise<ValueForm> {
  const samples = await directory.numberOf(277, 1);
  if (samples < 1 || samples > maxSamples) throw malformed('The TIFF states no number of values of a pixel.');
  const bits = sameOf(await directory.listOf(258, maxSamples), 1);
  const stated = sameOf(await directory.listOf(339, maxSamples), 1);
  // Values without a form are whole numbers.
  const format = stated === 4 ? 1 : stated;
  const method = await directory.numberOf(259, 1);
  requireKnownMethod(method);
  if (!isDrawn(bits, format) || (method === 7 && bits !== 8))
    throw new PreviewError('limit', `Values of ${bits} bits in the form ${format} are not drawn.`);
  const planar = await directory.numberOf(284, 1);
  return {
    bits,
    format,
    samples,
    together: planar === 2 ? 1 : samples,
    isLittleEndian,
    method,
    predictor: await directory.numberOf(317, 1),
    photometric: await directory.numberOf(262, 1),
  };
}

/** Bytes of a row of `width` pixels in a tile; rows begin with a byte. */
export function rowBytesOf({ bits, together }: ValueForm, width: number): number {
  return Math.ceil((width * together * bits) / 8);
}

function isFormat(format: number): format is 1 | 2 | 3 {
  return format === 1 || format === 2 || format === 3;
}

function isDrawn(bits: number, format: number): format is 1 | 2 | 3 {
  if (!isFormat(format)) return false;
  if (format === 1) return wholeBits.has(bits);
  if (format === 2) return bits === 8 || bits === 16 || bits === 32;
  return bits === 16 || bits === 32 || bits === 64;
}

/** The number that all of a list are; values of different forms are not drawn. */
function sameOf(list: readonly number[], otherwise: number): number {
  if (new Set(list).size > 1)
    throw new PreviewError('limit', 'The values of a pixel have different forms, which is not drawn.');
  return list[0] ?? otherwise;
}
