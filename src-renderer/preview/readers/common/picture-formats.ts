import { hasBytes, hasText } from './magic.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Larger pictures are refused before they are decoded: a small file can claim any size. */
const maxPixels = 64 * 1024 * 1024;
const maxSide = 32_767;

interface PictureFormat {
  readonly name: string;
  readonly type: string;
  readonly matches: (head: Uint8Array) => boolean;
  /** The size that the header states; null where there is none in the first bytes. */
  readonly sizeOf: (head: Uint8Array) => Size | null;
}

/** The formats that browsers decode. */
const formats: readonly PictureFormat[] = [
  {
    name: 'PNG picture',
    type: 'image/png',
    matches: (head) => hasBytes(head, 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    sizeOf: (head) => (hasText(head, 12, 'IHDR') ? sizeAt(head, 16, 20, 4, false) : null),
  },
  {
    name: 'JPEG picture',
    type: 'image/jpeg',
    matches: (head) => hasBytes(head, 0, [0xff, 0xd8, 0xff]),
    sizeOf: jpegSize,
  },
  {
    name: 'GIF picture',
    type: 'image/gif',
    matches: (head) => hasText(head, 0, 'GIF87a') || hasText(head, 0, 'GIF89a'),
    sizeOf: (head) => sizeAt(head, 6, 8, 2, true),
  },
  {
    name: 'WebP picture',
    type: 'image/webp',
    matches: (head) => hasText(head, 0, 'RIFF') && hasText(head, 8, 'WEBP'),
    sizeOf: webpSize,
  },
];

/** Whether a picture of this size is not decoded. */
export const isTooLarge = ({ width, height }: Size): boolean =>
  width * height > maxPixels || Math.max(width, height) > maxSide;

/** The format of a picture by its first bytes. */
export function pictureFormatOf(head: Uint8Array): PictureFormat | undefined {
  return formats.find(({ matches }) => matches(head));
}

/** Whether a picture states a size that is not decoded, or is of no format that is known here. */
export function isTooLargePicture(head: Uint8Array): boolean {
  const size = pictureFormatOf(head)?.sizeOf(head) ?? null;
  return size === null || isTooLarge(size);
}

function sizeAt(head: Uint8Array, width: number, height: number, bytes: 2 | 4, isLittleEndian: boolean): Size | null {
  if (head.length < Math.max(width, height) + bytes) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const at = (place: number): number =>
    bytes === 2 ? view.getUint16(place, isLittleEndian) : view.getUint32(place, isLittleEndian);
  return { width: at(width), height: at(height) };
}

/** Walks the segments up to the first start of frame (ITU-T T.81, table B.1). */
function jpegSize(head: Uint8Array): Size | null {
  for (let at = 2; at + 9 < head.length;) {
    if (head[at] !== 0xff) return null;
    const marker = head[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return sizeAt(head, at + 7, at + 5, 2, false);
    const length = ((head[at + 2] ?? 0) << 8) | (head[at + 3] ?? 0);
    if (length < 2) return null;
    at += 2 + length;
  }
  return null;
}

/** The three forms of the first chunk (RFC 9649 section 2). */
function webpSize(head: Uint8Array): Size | null {
  const byte = (at: number): number => head[at] ?? 0;
  if (head.length < 30) return null;
  if (hasText(head, 12, 'VP8X'))
    return {
      width: 1 + (byte(24) | (byte(25) << 8) | (byte(26) << 16)),
      height: 1 + (byte(27) | (byte(28) << 8) | (byte(29) << 16)),
    };
  if (hasText(head, 12, 'VP8L'))
    return {
      width: 1 + (byte(21) | ((byte(22) & 0x3f) << 8)),
      height: 1 + ((byte(22) >> 6) | (byte(23) << 2) | ((byte(24) & 0x0f) << 10)),
    };
  if (!hasText(head, 12, 'VP8 ')) return null;
  const size = sizeAt(head, 26, 28, 2, true);
  return size === null ? null : { width: size.width & 0x3fff, height: size.height & 0x3fff };
}
