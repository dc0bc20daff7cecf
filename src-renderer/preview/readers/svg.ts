import type { Answer } from '../messages/content.ts';
import { malformed, PreviewError } from '../provider/preview-error.ts';
import { encodingOf } from './common/encodings.ts';
import { plainContent, type OpenedFile, type Reader } from './reader.ts';
import { checkDrawing } from './svg/check-drawing.ts';
import { readText } from './text.ts';

const maxFileBytes = 4 * 1024 * 1024;

/**
 * SVG as a picture. The page draws it like one (`views/drawing-view.tsx`), in which browsers run no
 * scripts and load nothing.
 */
export const svgReader: Reader = {
  matches({ head, name }) {
    const found = name.endsWith('.svg') ? encodingOf(head) : null;
    return found !== null && /<(?:\w+:)?svg\b/.test(new TextDecoder(found.encoding).decode(head));
  },
  async open(source, { head }): Promise<OpenedFile> {
    const { encoding } = encodingOf(head) ?? { encoding: 'utf-8' };
    return {
      content: plainContent('SVG drawing', ['drawing', 'text']),
      async answer(question): Promise<Answer> {
        if (question.kind === 'text') return readText(source, question.offset, question.encoding);
        if (question.kind !== 'drawing') throw malformed('A drawing has no such part.');
        if (source.length > maxFileBytes)
          throw new PreviewError(
            'limit',
            'The drawing is larger than the 4 MiB that a preview draws. See it as a text.',
          );
        // The page gets text in one encoding, whatever the file says of its own.
        const text = new TextDecoder(encoding)
          .decode(await source.read(0, source.length))
          .replace(/^\s*<\?xml\s[^>]*\?>/, '');
        checkDrawing(text);
        return { kind: 'drawing', svg: text };
      },
    };
  },
};
