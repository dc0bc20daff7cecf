import { describe, expect, it } from 'vitest';
import type { FileStatus, FolderPage } from '../../../src-renderer/api/requests/types.ts';
import { findFiles } from '../../../src-renderer/features/measurements/gallery/find-files.ts';
import { readPictures, type Picture } from '../../../src-renderer/features/measurements/gallery/read-pictures.ts';
import type { Thumbnail } from '../../../src-renderer/preview/thumbnail/make-thumbnail.ts';

type Entry = FolderPage['entries'][number];

const file = (index: number, path: string, state: FileStatus['state'] = 'ok'): FileStatus => ({
  index,
  path,
  length: 10,
  crc32: 0,
  sha256: '',
  state,
  problem: null,
  checked_at: null,
});
const entry = (index: number, path: string, state?: FileStatus['state']): Entry => ({
  name: path.slice(path.lastIndexOf('/') + 1),
  file: file(index, path, state),
  folder: null,
});
const folder = (name: string): Entry => ({
  name,
  file: null,
  folder: { first: 0, last: 0, bytes: 0, problem_count: 0 },
});

/** Pages of folders by path and cursor; what is asked for is noted. */
function folders(pages: Readonly<Record<string, FolderPage>>) {
  const asked: string[] = [];
  const read = async (path: string, after: number): Promise<FolderPage> => {
    asked.push(`${path} ${after}`);
    const page = pages[`${path} ${after}`];
    if (page === undefined) throw new Error(`no page ${path} ${after}`);
    return page;
  };
  return { read, asked };
}

const isPicture = (path: string): boolean => path.endsWith('.png');
const paths = ({ files }: { readonly files: readonly FileStatus[] }) => files.map(({ path }) => path);

describe('the files of a gallery', () => {
  it('are those outside of folders first, then folder by folder, without those that have problems', async () => {
    const { read, asked } = folders({
      ' -1': { entries: [folder('raw'), entry(3, 'z.png'), entry(4, 'altered.png', 'altered')], next: null },
      'raw -1': { entries: [entry(0, 'raw/1.png'), entry(1, 'raw/1.dat'), folder('deep')], next: null },
      'raw/deep -1': { entries: [entry(2, 'raw/deep/2.png')], next: null },
    });
    const found = await findFiles(read, isPicture);
    expect(paths(found)).toEqual(['z.png', 'raw/1.png', 'raw/deep/2.png']);
    expect(found).toMatchObject({ looked: 5, isWhole: true });
    expect(asked).toEqual([' -1', 'raw -1', 'raw/deep -1']);
  });

  it('are at most eight, for which no further page is asked', async () => {
    const many = Array.from({ length: 500 }, (_, at) => entry(at, `raw/${at}.png`));
    const { read, asked } = folders({
      ' -1': { entries: [folder('raw'), folder('more')], next: null },
      'raw -1': { entries: many, next: 499 },
    });
    const found = await findFiles(read, isPicture);
    expect(paths(found)).toEqual(many.slice(0, 8).map(({ name }) => `raw/${name}`));
    expect(found.isWhole).toBe(false);
    expect(asked).toHaveLength(2);
  });

  it('are looked for in a limited number of pages, other folders before further pages', async () => {
    const frames = Array.from({ length: 500 }, (_, at) => entry(at, `raw/${at}.dat`));
    const { read, asked } = folders({
      ' -1': { entries: [folder('raw'), folder('results')], next: null },
      'raw -1': { entries: frames, next: 499 },
      'results -1': { entries: [entry(900, 'results/fit.png')], next: null },
      'raw 499': { entries: frames, next: 999 },
    });
    const found = await findFiles(read, isPicture, { maxFiles: 8, maxPages: 4 });
    expect(paths(found)).toEqual(['results/fit.png']);
    expect(found).toMatchObject({ looked: 1001, isWhole: false });
    expect(asked).toEqual([' -1', 'raw -1', 'results -1', 'raw 499']);
  });
});

const curve: Thumbnail = { kind: 'curve', path: 'M0 0' };

describe('reading pictures', () => {
  const files = Array.from({ length: 5 }, (_, at) => file(at, `${at}.png`));

  it('reads two at a time; one that fails has its reason and stops no other', async () => {
    const told: string[] = [];
    let running = 0;
    let most = 0;
    await readPictures(files, {
      make: async ({ index }) => {
        running += 1;
        most = Math.max(most, running);
        await Promise.resolve();
        running -= 1;
        if (index === 1) throw new Error('It is damaged.');
        return curve;
      },
      tell: (index, picture: Picture) =>
        told.push(`${index} ${picture.kind}${picture.kind === 'failed' ? ` ${picture.reason}` : ''}`),
      signal: new AbortController().signal,
    });
    expect(most).toBe(2);
    expect(told.filter((line) => line.endsWith('reading'))).toHaveLength(5);
    expect(told.filter((line) => !line.endsWith('reading')).toSorted()).toEqual([
      '0 shown',
      '1 failed It is damaged.',
      '2 shown',
      '3 shown',
      '4 shown',
    ]);
  });

  it('begins and tells nothing more once it was ended', async () => {
    const told: number[] = [];
    const abort = new AbortController();
    await readPictures(files, {
      make: async () => {
        abort.abort();
        throw new Error('The preview is closed.');
      },
      tell: (index) => told.push(index),
      signal: abort.signal,
    });
    expect(told).toEqual([0]);
  });
});
