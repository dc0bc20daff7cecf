import { malformed } from '../provider/preview-error.ts';
import { arrayNode, rootNode, type Fact } from './common/facts.ts';
import { hasBytes } from './common/magic.ts';
import { plainContent, type OpenedFile, type Reader } from './reader.ts';
import { guarded, openTiff, type TiffFile } from './tiff/open-tiff.ts';
import { readPage, sizeOf } from './tiff/read-page.ts';

const signatures = [
  [0x49, 0x49, 42, 0],
  [0x4d, 0x4d, 0, 42],
  [0x49, 0x49, 43, 0],
  [0x4d, 0x4d, 0, 43],
];
const place = '/pages';

/** TIFF, BigTIFF and OME-TIFF: pages as pictures, by their tiles and smaller forms. */
export const tiffReader: Reader = {
  matches: ({ head }) => signatures.some((signature) => hasBytes(head, 0, signature)),
  async open(source): Promise<OpenedFile> {
    const file = await openTiff(source);
    const [first] = await file.levels(0);
    if (first === undefined) throw malformed('The TIFF has no page.');
    const [width, height] = sizeOf(first);
    const samples = first.getSamplesPerPixel();
    const leading = [file.pages, samples].filter((length) => length > 1);
    const shape = [...leading, height, width];
    const format = file.description.includes('<OME') ? 'OME-TIFF picture' : 'TIFF picture';
    const bits = await guarded(async () => first.fileDirectory.loadValue('BitsPerSample'));
    const facts = factsOf(file, {
      width,
      height,
      samples,
      bits: (bits as ArrayLike<number> | undefined)?.[0] ?? 1,
    });
    return {
      content: { ...plainContent(format, ['tree']), firstDataset: place },
      async answer(question) {
        if (question.kind === 'node') {
          if (question.path === place) return arrayNode(place, shape, 'plane', facts);
          const summary = `${width} × ${height}`;
          return rootNode([], described(file.description), [{ name: 'pages', type: 'dataset', summary }]);
        }
        if (question.kind !== 'plane') throw malformed('A TIFF has no such part.');
        const [page = 0, sample = 0] = file.pages > 1 ? question.at : [0, question.at[0]];
        return readPage(await file.levels(Math.min(page, file.pages - 1)), Math.min(sample, samples - 1));
      },
    };
  },
};

function factsOf(
  file: TiffFile,
  { width, height, samples, bits }: { width: number; height: number; samples: number; bits: number },
): Fact[] {
  return [
    { name: 'Size', value: `${width} × ${height} pixels` },
    { name: 'Pages', value: `${file.hasMore ? 'at least ' : ''}${file.pages}` },
    { name: 'Values of a pixel', value: `${samples}, ${bits} bits each` },
  ];
}

function described(description: string): Fact[] {
  return description === '' ? [] : [{ name: 'Description', value: description }];
}
