import type { PageLayout, Raster } from '../messages/raster.ts';
import { malformed } from '../provider/preview-error.ts';
import { arrayNode, rootNode, type Fact } from './common/facts.ts';
import { hasBytes } from './common/magic.ts';
import { plainContent, type OpenedFile, type Reader } from './reader.ts';
import { createBlockStore } from './tiff/block-store.ts';
import { hasColours } from './tiff/channels.ts';
import type { Level } from './tiff/level.ts';
import { openTiff, type TiffFile } from './tiff/open-tiff.ts';
import { readCoarse } from './tiff/read-coarse.ts';
import { readTile, tileSizeOf } from './tiff/read-window.ts';

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
    const store = createBlockStore(source);
    const firstLevels = await file.levels(0);
    const [first] = firstLevels;
    // The first picture is on its way before the page asks for it.
    let early: Promise<Raster> | null = readCoarse(store, firstLevels, null);
    early.catch(() => undefined);
    const format = file.description.includes('<OME') ? 'OME-TIFF picture' : 'TIFF picture';
    return {
      content: plainContent(format, ['tiles', 'tree']),
      async answer(question) {
        if (question.kind === 'node') return question.path === place ? pagesNode(file, first) : fileNode(file, first);
        if (question.kind !== 'layout' && question.kind !== 'coarse' && question.kind !== 'tile')
          throw malformed('A TIFF has no such part.');
        const page = file.axes.pageOf(question.at);
        const levels = await file.levels(page);
        if (question.kind === 'layout') return layoutOf(file, levels);
        if (question.kind === 'coarse') {
          // Its values are given away with the answer.
          const ready = page === 0 && question.sample === null ? early : null;
          if (ready !== null) early = null;
          return ready ?? readCoarse(store, levels, question.sample);
        }
        const level = levels[question.level];
        if (level === undefined) throw malformed('The page has no such resolution.');
        return readTile(store, level, question);
      },
    };
  },
};

function layoutOf({ axes, hasMore }: TiffFile, levels: readonly [Level, ...Level[]]): PageLayout {
  const [{ form }] = levels;
  return {
    kind: 'layout',
    axes: axes.axes,
    hasMore,
    levels: levels.map((level) => {
      const [tileWidth, tileHeight] = tileSizeOf(level);
      return { width: level.width, height: level.height, tileWidth, tileHeight };
    }),
    samples: form.samples,
    hasColours: hasColours(levels[0]),
    isInverted: form.photometric === 0,
    maxValue: form.photometric === 3 ? 255 : form.format === 1 && form.bits <= 8 ? 2 ** form.bits - 1 : null,
  };
}

function pagesNode(file: TiffFile, { width, height, form }: Level) {
  const facts: Fact[] = [
    { name: 'Size', value: `${width} × ${height} pixels` },
    { name: 'Pages', value: `${file.hasMore ? 'at least ' : ''}${pagesOf(file)}` },
    { name: 'Values of a pixel', value: `${form.samples}, ${form.bits} bits each` },
  ];
  const leading = [pagesOf(file), form.samples].filter((length) => length > 1);
  return arrayNode(place, [...leading, height, width], 'none', facts);
}

function fileNode(file: TiffFile, { width, height }: Level) {
  const described = file.description === '' ? [] : [{ name: 'Description', value: file.description }];
  return rootNode([], described, [{ name: 'pages', type: 'dataset', summary: `${width} × ${height}` }]);
}

function pagesOf({ axes }: TiffFile): number {
  return axes.axes.reduce((product, { length }) => product * length, 1);
}
