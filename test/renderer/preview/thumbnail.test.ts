import { expect, it } from 'vitest';
import type { Answer } from '../../../src-renderer/preview/messages/content.ts';
import type { Question } from '../../../src-renderer/preview/messages/messages.ts';
import { openFile } from '../../../src-renderer/preview/readers/registry.ts';
import { rangeLimits } from '../../../src-renderer/preview/provider/range-source.ts';
import type { openPreview } from '../../../src-renderer/preview/session/preview-session.ts';
import { curvePath } from '../../../src-renderer/preview/thumbnail/curve-path.ts';
import { makeThumbnail } from '../../../src-renderer/preview/thumbnail/make-thumbnail.ts';
import { mayHavePicture } from '../../../src-renderer/preview/thumbnail/may-have-picture.ts';
import { memorySource, utf8 } from './memory-source.ts';
import { sampleCsv, sampleNexus } from './sample-files.ts';
import { sampleMzml } from './sample-formats.ts';

const target = { url: '/measurements/run-7/files/0', name: 'a', length: 10 };

/** A session that reads in this thread. */
function sessionOf(bytes: Uint8Array, name: string) {
  const asked: Question[] = [];
  const session = { isClosed: false };
  const open: typeof openPreview = (deps) => {
    expect(deps).toMatchObject({ purpose: 'thumbnail', onlyBytes: false });
    const file = openFile(memorySource(bytes), name);
    file.then(
      ({ content }) => deps.onOpened(content),
      (error: unknown) => deps.onFailed({ reason: 'malformed', detail: String(error) }),
    );
    return {
      ask: async (question: Question): Promise<Answer> => {
        asked.push(question);
        return (await file).answer(question);
      },
      close: () => {
        session.isClosed = true;
      },
    };
  };
  return { open, asked, session };
}

const signal = new AbortController().signal;

it.each([
  ['a table', 'scan.csv', async () => utf8(sampleCsv(300)), { kind: 'curve', x: 0, y: 1 }],
  [
    'the plot that a NeXus file names',
    'iron.nxs',
    sampleNexus,
    { kind: 'line', path: '/entry/spectrum/counts', at: [] },
  ],
  ['the first spectrum', 'run.mzML', async () => sampleMzml(5), { kind: 'line', path: '/spectra', at: [0] }],
] as const)('%s is a curve, and its session ends', async (_, name, bytes, question) => {
  const { open, asked, session } = sessionOf(await bytes(), name);
  const made = await makeThumbnail(target, signal, open);
  expect(made).toMatchObject({ kind: 'curve', path: expect.stringMatching(/^M3\.0 /) });
  expect(asked.at(-1)).toEqual(question);
  expect(session.isClosed).toBe(true);
});

it.each([
  ['a text', 'notes.csv', utf8('one line'), 'Nothing in it is drawn as a picture or a curve.'],
  ['a table without numbers', 'names.csv', utf8('a,b\nx,y\nu,v\n'), 'Nothing in it is drawn as a picture or a curve.'],
  ['a damaged file', 'cut.h5', new Uint8Array([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]), 'damaged'],
])('%s has none, for a reason', async (_, name, bytes, reason) => {
  const { open, session } = sessionOf(bytes, name);
  await expect(makeThumbnail(target, signal, open)).rejects.toThrow(reason);
  expect(session.isClosed).toBe(true);
});

it('one that is not wanted any more ends its session while that opens', async () => {
  let closed = 0;
  const abort = new AbortController();
  const made = makeThumbnail(target, abort.signal, () => ({
    ask: () => Promise.reject(new Error('never asked')),
    close: () => {
      closed += 1;
    },
  }));
  abort.abort();
  await expect(made).rejects.toThrow('The preview is closed.');
  expect(closed).toBe(1);
  await expect(
    makeThumbnail(target, abort.signal, () => {
      throw new Error('was opened');
    }),
  ).rejects.toThrow('aborted');
});

it('a large table is drawn from places spread over it, within what is read for a small picture', async () => {
  const bytes = utf8(sampleCsv(600_000));
  const source = { ...memorySource(bytes), maxReadBytes: rangeLimits.thumbnail.maxReadBytes };
  expect(bytes.length).toBeGreaterThan(2 * source.maxReadBytes);
  const opened = await openFile(source, 'scan.csv');
  const curve = await opened.answer({ kind: 'curve', x: 0, y: 1 });
  expect(curve).toMatchObject({ kind: 'curve', isSampled: true });
  expect(source.bytesRead()).toBeLessThan(source.maxReadBytes / 2);
});

it('a path goes from the lowest to the highest value, and leaves gaps', () => {
  const curve = {
    x: Float64Array.of(0, 1, 2, 3),
    low: Float64Array.of(0, 5, Number.NaN, 10),
    high: Float64Array.of(0, 5, Number.NaN, 10),
  };
  expect(curvePath(curve)).toBe('M3.0 77.0L3.0 77.0L41.0 40.0L41.0 40.0M117.0 3.0L117.0 3.0');
  const flat = Float64Array.of(7, 7);
  expect(curvePath({ x: Float64Array.of(1, 2), low: flat, high: flat })).toBe(
    'M3.0 40.0L3.0 40.0L117.0 40.0L117.0 40.0',
  );
  const empty = new Float64Array();
  expect(curvePath({ x: empty, low: empty, high: empty })).toBe('');
});

it('a path of very many places stays short, and keeps what stands out', () => {
  const x = Float64Array.from({ length: 100_000 }, (_, at) => at);
  const low = new Float64Array(100_000);
  const high = Float64Array.from(x, (at) => (at === 54_321 ? 1 : 0));
  const path = curvePath({ x, low, high });
  expect(path.length).toBeLessThan(8000);
  expect(path).toMatch(/ 3\.0L/);
});

it('names say which files may have a picture', () => {
  for (const name of ['a.PNG', 'raw/b.ome.tif', 'c.nxs', 'd.mzML', 'e.nii.gz', 'f.csv', 'g.svg'])
    expect(mayHavePicture(name), name).toBe(true);
  for (const name of ['a.txt', 'b.dat', 'png', 'c.png.gz', 'd.raw', 'e.dcm', 'f.zip'])
    expect(mayHavePicture(name), name).toBe(false);
});
