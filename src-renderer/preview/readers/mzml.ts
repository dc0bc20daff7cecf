import type { Curve, TreeNode } from '../messages/content.ts';
import { malformed, PreviewError } from '../provider/preview-error.ts';
import { arrayNode, rootNode } from './common/facts.ts';
import { CurveBuilder, maxPlaces } from './common/curve.ts';
import { chromatogramsOf } from './mzml/index-of-chromatograms.ts';
import { openIndex, type SpectrumIndex } from './mzml/index-of-spectra.ts';
import type { Entry } from './mzml/index-text.ts';
import { readChromatogram, readSpectrum, type Trace } from './mzml/read-trace.ts';
import { plainContent, type OpenedFile, type Reader } from './reader.ts';
import type { ByteSource } from '../provider/byte-source.ts';
import { readText } from './text.ts';

const spectraPath = '/spectra';
const chromatogramsPath = '/chromatograms';

interface Indexes {
  readonly spectra: SpectrumIndex | null;
  readonly chromatograms: readonly Entry[];
}

/** Spectra and chromatograms of an indexed mzML, each found by the index at the end of the file. */
export const mzmlReader: Reader = {
  matches: ({ head, name }) =>
    name.endsWith('.mzml') && /<(?:indexedmzML|mzML)\b/.test(new TextDecoder('latin1').decode(head.subarray(0, 4096))),
  async open(source): Promise<OpenedFile> {
    const indexes = { spectra: await openIndex(source), chromatograms: await chromatogramsOf(source) };
    if (indexes.spectra === null && indexes.chromatograms.length === 0)
      throw new PreviewError(
        'limit',
        'The file has no index, without which a spectrum cannot be found. See it as bytes.',
      );
    return {
      content: {
        ...plainContent('mzML spectra', ['tree', 'text']),
        firstDataset: indexes.spectra === null ? chromatogramsPath : spectraPath,
      },
      async answer(question) {
        if (question.kind === 'text') return readText(source, question.offset, question.encoding);
        if (question.kind === 'line') return lineOf(source, indexes, question.path, question.at[0] ?? 0);
        if (question.kind === 'node') return nodeOf(indexes, question.path);
        throw malformed('An mzML file has no such part.');
      },
    };
  },
};

function nodeOf({ spectra, chromatograms }: Indexes, path: string): TreeNode {
  const facts = [
    ...(spectra === null ? [] : [{ name: 'Spectra', value: String(spectra.count) }]),
    ...(chromatograms.length === 0
      ? []
      : [
          { name: 'Chromatograms', value: String(chromatograms.length) },
          { name: 'The first of them', value: chromatograms[0]?.id ?? '' },
        ]),
  ];
  if (path === spectraPath && spectra !== null) return arrayNode(path, [spectra.count, 1], 'line', facts);
  if (path === chromatogramsPath && chromatograms.length > 0)
    return arrayNode(path, chromatograms.length === 1 ? [1] : [chromatograms.length, 1], 'line', facts);
  if (path !== '/') throw malformed('An mzML file has no such part.');
  return rootNode(
    facts,
    [],
    [
      ...(chromatograms.length === 0
        ? []
        : [{ name: 'chromatograms', type: 'dataset' as const, summary: String(chromatograms.length) }]),
      ...(spectra === null ? [] : [{ name: 'spectra', type: 'dataset' as const, summary: String(spectra.count) }]),
    ],
  );
}

async function lineOf(
  source: ByteSource,
  { spectra, chromatograms }: Indexes,
  path: string,
  number: number,
): Promise<Curve> {
  if (path === chromatogramsPath) {
    const place = chromatograms[Math.min(number, chromatograms.length - 1)];
    if (place === undefined) throw malformed('The file has no chromatogram.');
    return curveOf(await readChromatogram(source, place.offset));
  }
  if (spectra === null) throw malformed('The file has no spectrum.');
  return curveOf(await readSpectrum(source, await spectra.offsetOf(Math.min(number, spectra.count - 1))));
}

function curveOf({ id, x, y, xName }: Trace): Curve {
  const builder = new CurveBuilder();
  builder.add(x, y, maxPlaces);
  return builder.build({ xName, yName: `Intensity, ${id}`, of: Math.min(x.length, y.length), isSampled: false });
}
