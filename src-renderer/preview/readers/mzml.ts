import type { Curve } from '../messages/content.ts';
import { malformed, PreviewError } from '../provider/preview-error.ts';
import { arrayNode, rootNode } from './common/facts.ts';
import { CurveBuilder, maxPlaces } from './common/curve.ts';
import { openIndex, type SpectrumIndex } from './mzml/index-of-spectra.ts';
import { readSpectrum } from './mzml/read-spectrum.ts';
import { plainContent, type OpenedFile, type Reader } from './reader.ts';
import type { ByteSource } from '../provider/byte-source.ts';
import { readText } from './text.ts';

const place = '/spectra';

/** Spectra of an indexed mzML, each found by the index at the end of the file. */
export const mzmlReader: Reader = {
  matches: ({ head, name }) =>
    name.endsWith('.mzml') && /<(?:indexedmzML|mzML)\b/.test(new TextDecoder('latin1').decode(head.subarray(0, 4096))),
  async open(source): Promise<OpenedFile> {
    const index = await openIndex(source);
    if (index === null)
      throw new PreviewError(
        'limit',
        'The file has no index, without which a spectrum cannot be found. See it as bytes.',
      );
    return {
      content: { ...plainContent('mzML spectra', ['tree', 'text']), firstDataset: place },
      async answer(question) {
        if (question.kind === 'text') return readText(source, question.offset, question.encoding);
        if (question.kind === 'line') return curveOf(source, index, question.at[0] ?? 0);
        if (question.kind !== 'node') throw malformed('An mzML file has no such part.');
        const facts = [{ name: 'Spectra', value: String(index.count) }];
        if (question.path === place) return arrayNode(place, [index.count, 1], 'line', facts);
        return rootNode(facts, [], [{ name: 'spectra', type: 'dataset', summary: String(index.count) }]);
      },
    };
  },
};

async function curveOf(source: ByteSource, index: SpectrumIndex, number: number): Promise<Curve> {
  const { id, x, y } = await readSpectrum(source, await index.offsetOf(Math.min(number, index.count - 1)));
  const builder = new CurveBuilder();
  builder.add(x, y, maxPlaces);
  return builder.build({ xName: 'm/z', yName: `Intensity, ${id}`, of: Math.min(x.length, y.length), isSampled: false });
}
