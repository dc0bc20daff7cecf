import type { PictureBitmap } from '../messages/content.ts';
import { malformed, PreviewError } from '../provider/preview-error.ts';
import { isTooLarge, pictureFormatOf } from './common/picture-formats.ts';
import { plainContent, type Reader } from './reader.ts';

const maxFileBytes = 32 * 1024 * 1024;

/** PNG, JPEG, GIF (its first frame) and WebP, decoded by the browser. */
export const imageReader: Reader = {
  matches: ({ head }) => pictureFormatOf(head) !== undefined,
  async open(source, { head }) {
    const format = pictureFormatOf(head);
    const size = format?.sizeOf(head) ?? null;
    if (format === undefined || size === null || size.width === 0 || size.height === 0)
      throw malformed('The picture does not state its size where its format requires it.');
    if (isTooLarge(size))
      throw new PreviewError(
        'limit',
        `The picture states ${size.width} × ${size.height} pixels, which is more than a preview shows.`,
      );
    if (source.length > maxFileBytes)
      throw new PreviewError('limit', 'The picture is larger than the 32 MiB that a preview reads of one.');
    return {
      content: { ...plainContent(format.name, ['picture']), picture: size },
      async answer(question): Promise<PictureBitmap> {
        if (question.kind !== 'picture') throw malformed('A picture has no such part.');
        const bytes = new Uint8Array(await source.read(0, source.length));
        try {
          return { kind: 'picture', bitmap: await createImageBitmap(new Blob([bytes], { type: format.type })) };
        } catch {
          throw malformed('The picture is damaged: its bytes cannot be decoded.');
        }
      },
    };
  },
};
