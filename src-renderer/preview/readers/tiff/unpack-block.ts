import type { BaseDecoder } from 'geotiff';
import { malformed, PreviewError } from '../../provider/preview-error.ts';
import { unpackZlib } from '../common/unpack.ts';
import { unpackLzw } from './unpack-lzw.ts';

/** Unpacks JPEG (7), for which the library asks for the tables of the page. */
export type JpegDecoder = Pick<BaseDecoder, 'decodeBlock'>;

/** Names of methods that are not read, so that a refusal says which one it is. */
const otherMethods: Readonly<Record<number, string>> = {
  2: 'CCITT',
  3: 'CCITT fax 3',
  4: 'CCITT fax 4',
  6: 'the old JPEG',
  33_003: 'JPEG 2000',
  33_005: 'JPEG 2000',
  34_712: 'JPEG 2000',
  34_887: 'LERC',
  50_000: 'Zstandard',
  50_001: 'WebP',
};
const known = new Set([1, 5, 7, 8, 32_773, 32_946]);

/** @throws PreviewError for a method of packing that previews do not read. */
export function requireKnownMethod(method: number): void {
  if (known.has(method)) return;
  const name = otherMethods[method];
  throw new PreviewError(
    'limit',
    `The picture is packed with ${name ?? `the method ${method}`}, which a preview does not unpack.`,
  );
}

/**
 * Unpacks a tile or strip, never to more than `maxBytes`.
 *
 * @throws PreviewError for damaged data, and for those that claim to be larger.
 */
export async function unpackBlock(
  method: number,
  packed: Uint8Array,
  maxBytes: number,
  jpeg: JpegDecoder | null,
): Promise<Uint8Array> {
  switch (method) {
    case 1:
      return packed.subarray(0, maxBytes);
    case 5:
      return unpackLzw(packed, maxBytes);
    case 7:
      return unpackJpeg(packed, maxBytes, jpeg);
    case 8:
    case 32_946:
      return unpackZlib(Uint8Array.from(packed), maxBytes);
    case 32_773:
      return unpackPackBits(packed, maxBytes);
    default:
      requireKnownMethod(method);
      return packed;
  }
}

/** PackBits of TIFF 6.0, section 9. */
function unpackPackBits(packed: Uint8Array, maxBytes: number): Uint8Array {
  const out = new Uint8Array(maxBytes);
  let to = 0;
  for (let from = 0; from < packed.length && to < maxBytes;) {
    const head = packed[from] ?? 0;
    from += 1;
    if (head === 128) continue;
    const count = Math.min(head < 128 ? head + 1 : 257 - head, maxBytes - to);
    if (head < 128) out.set(packed.subarray(from, from + count), to);
    else out.fill(packed[from] ?? 0, to, to + count);
    from += head < 128 ? head + 1 : 1;
    to += count;
  }
  return out.subarray(0, to);
}

async function unpackJpeg(packed: Uint8Array, maxBytes: number, jpeg: JpegDecoder | null): Promise<Uint8Array> {
  // The library makes room for what the frames of a JPEG claim.
  if (claimedByFrames(packed) > 2 * maxBytes + 65_536)
    throw new PreviewError('limit', 'A part of the picture unpacks to more than it should.');
  if (jpeg === null) throw malformed('The TIFF is damaged: it has a JPEG where none belongs.');
  const bytes = Uint8Array.from(packed);
  return new Uint8Array(await jpeg.decodeBlock(bytes.buffer)).subarray(0, maxBytes);
}

/** Values that the headers of frames claim (ITU-T T.81, B.2.2). */
function claimedByFrames(packed: Uint8Array): number {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  let claimed = 0;
  for (let at = 0; at + 10 <= packed.length; at += 1) {
    if (packed[at] !== 0xff || !isFrame(packed[at + 1] ?? 0)) continue;
    claimed += view.getUint16(at + 5) * view.getUint16(at + 7) * Math.max(1, packed[at + 9] ?? 1);
  }
  return claimed;
}

const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xc2;
