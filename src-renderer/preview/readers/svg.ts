import type { Answer } from '../messages/content.ts';
import type { ByteSource } from '../provider/byte-source.ts';
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
    const { svg, note } = await drawable(source, encoding);
    return {
      content:
        note === null
          ? plainContent('SVG drawing', ['drawing', 'text'])
          : plainContent('SVG drawing, as its source', ['text'], [note]),
      async answer(question): Promise<Answer> {
        if (question.kind === 'text') return readText(source, question.offset, question.encoding);
        if (question.kind !== 'drawing' || note !== null) throw malformed('A drawing has no such part.');
        return { kind: 'drawing', svg };
      },
    };
  },
};

/** The drawing for the page, or why it is not drawn. */
async function drawable(
  source: ByteSource,
  encoding: string,
): Promise<{ readonly svg: string; readonly note: string | null }> {
  if (source.length > maxFileBytes)
    return { svg: '', note: 'The drawing is larger than the 4 MiB that a preview draws.' };
  // The page gets text in one encoding, whatever the file says of its own.
  const svg = new TextDecoder(encoding).decode(await source.read(0, source.length)).replace(/^\s*<\?xml\s[^>]*\?>/, '');
  try {
    checkDrawing(svg);
    return { svg, note: null };
  } catch (error) {
    if (error instanceof PreviewError) return { svg: '', note: error.message };
    throw error;
  }
}
