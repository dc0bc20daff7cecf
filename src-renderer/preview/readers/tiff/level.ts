import { malformed, PreviewError } from '../../provider/preview-error.ts';
import type { Directory } from './directory.ts';
import { rowBytesOf, valueFormOf, type ValueForm } from './value-form.ts';

/** One resolution of a page: a grid of blocks, which are its tiles or strips, or parts of strips. */
export interface Level {
  /** Place of its directory, which tells it from all others of the file. */
  readonly offset: number;
  readonly directory: Directory;
  readonly form: ValueForm;
  /** All in pixels. */
  readonly width: number;
  readonly height: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly columns: number;
  readonly rows: number;
  readonly isTiled: boolean;
  /** Blocks that lie in one strip. */
  readonly blocksOfStrip: number;
  /** Bytes of an unpacked block. */
  readonly blockBytes: number;
}

/** Of one tile or strip, unpacked. */
const maxBlockBytes = 32 * 1024 * 1024;
/** Strips that are not packed are read by parts of about this many bytes. */
const wantedPartBytes = 256 * 1024;
const maxSide = 2 ** 31;

/** @throws PreviewError for sizes that no picture has, and for parts that are too large to unpack. */
export async function levelOf(offset: number, directory: Directory, isLittleEndian: boolean): Promise<Level> {
  const [width, height] = [await directory.numberOf(256, 0), await directory.numberOf(257, 0)];
  if (!isSide(width) || !isSide(height)) throw malformed('The TIFF states no size.');
  const form = await valueFormOf(directory, isLittleEndian);
  const isTiled = directory.has(322);
  const blockWidth = isTiled ? await directory.numberOf(322, 0) : width;
  const whole = isTiled ? await directory.numberOf(323, 0) : Math.min(height, await directory.numberOf(278, height));
  if (!isSide(blockWidth) || !isSide(whole)) throw malformed('The TIFF states no size of its parts.');
  const rowBytes = rowBytesOf(form, blockWidth);
  const canSplit = !isTiled && form.method === 1 && form.predictor === 1;
  const blockHeight = canSplit ? divisorOf(whole, wantedPartBytes / rowBytes) : whole;
  const blockBytes = rowBytes * blockHeight;
  if (blockBytes > maxBlockBytes)
    throw new PreviewError('limit', 'The parts of this picture are larger than a preview unpacks at once.');
  return {
    offset,
    directory,
    form,
    width,
    height,
    blockWidth,
    blockHeight,
    columns: Math.ceil(width / blockWidth),
    rows: Math.ceil(height / blockHeight),
    isTiled,
    blocksOfStrip: whole / blockHeight,
    blockBytes,
  };
}

/** Whether a level is the same picture as the whole page with fewer pixels. */
export function isSmallerForm(level: Level, whole: Level): boolean {
  if (level.width >= whole.width || level.form.samples !== whole.form.samples) return false;
  const expected = whole.height / (whole.width / level.width);
  return Math.abs(expected - level.height) <= 2 + expected * 0.02;
}

function isSide(side: number): boolean {
  return side > 0 && side < maxSide;
}

/** The largest divisor of a number that is at most `wanted`; 1 where no other is. */
function divisorOf(whole: number, wanted: number): number {
  if (wanted >= whole) return whole;
  for (let divisor = Math.floor(wanted); divisor > 1; divisor -= 1) if (whole % divisor === 0) return divisor;
  return 1;
}
