import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Answer } from '../../../src-renderer/preview/messages/content.ts';
import type { OpenedFile } from '../../../src-renderer/preview/readers/reader.ts';
import { openFile } from '../../../src-renderer/preview/readers/registry.ts';
import { fetchFilter } from './filter-programs.ts';
import { memorySource } from './memory-source.ts';
import { sampleFile } from './sample-formats.ts';

const open = async (): Promise<OpenedFile> => openFile(memorySource(await sampleFile('hdf5plugin.h5')), 'packed.h5');

async function planeOf(opened: OpenedFile, path: string): Promise<Extract<Answer, { kind: 'plane' }>> {
  const plane = await opened.answer({ kind: 'plane', path, at: [1] });
  if (plane.kind !== 'plane') throw new Error(plane.kind);
  return plane;
}

describe('datasets packed by filters that the HDF5 library does not have', () => {
  afterEach(() => vi.unstubAllGlobals());

  // Before the others, after which the library has the programs.
  it('say which part could not be loaded, and are shown once it can', async () => {
    const opened = await open();
    vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
    await expect(planeOf(opened, '/zstd')).rejects.toMatchObject({ reason: 'network' });
    await expect(planeOf(opened, '/zstd')).rejects.toThrow('unpacks Zstandard could not be loaded');
    vi.stubGlobal('fetch', fetchFilter);
    expect((await planeOf(opened, '/zstd')).values).toHaveLength(24 * 32);
  });

  it.each(['bitshuffle', 'bitshuffle_zstd', 'blosc', 'blosc2', 'blosc_zstd', 'lz4', 'lzf', 'zstd'])(
    '%s is unpacked by its program, which is loaded once',
    async (name) => {
      const fetched = vi.fn(fetchFilter);
      vi.stubGlobal('fetch', fetched);
      const opened = await open();
      for (let time = 0; time < 2; time += 1) {
        const { values } = await planeOf(opened, `/${name}`);
        expect([...values]).toEqual(Array.from({ length: 24 * 32 }, (_, at) => ((24 * 32 + at) * 3) % 200));
      }
      expect(fetched.mock.calls.length).toBeLessThanOrEqual(1);
    },
  );

  it('a curve and its axis may be packed differently', async () => {
    vi.stubGlobal('fetch', fetchFilter);
    const curve = await (await open()).answer({ kind: 'line', path: '/scan/counts', at: [] });
    if (curve.kind !== 'curve') throw new Error(curve.kind);
    expect([curve.xName, curve.x.at(-1), curve.high.at(-1)]).toEqual(['angle', 49.75, 199 ** 2]);
  });

  it.each([
    ['bzip2', 'bzip2'],
    ['blosc_zlib', 'Blosc with zlib'],
  ])('%s, which has no program, is named', async (name, words) => {
    vi.stubGlobal('fetch', fetchFilter);
    const opened = await open();
    await expect(planeOf(opened, `/${name}`)).rejects.toThrow(
      `The dataset is packed with ${words}, which a preview cannot unpack.`,
    );
  });

  it('values that cannot be unpacked are not shown', async () => {
    vi.stubGlobal('fetch', fetchFilter);
    const bytes = await sampleFile('hdf5plugin.h5');
    // The magic number that begins each frame of Zstandard.
    for (let at = 0; at < bytes.length; at += 1)
      if (Buffer.from(bytes.subarray(at, at + 4)).toString('hex') === '28b52ffd') bytes.fill(0, at, at + 20);
    const opened = await openFile(memorySource(bytes), 'packed.h5');
    await expect(planeOf(opened, '/zstd')).rejects.toThrow('The values of this dataset are damaged');
    expect((await planeOf(opened, '/lz4')).values[0]).toBe((24 * 32 * 3) % 200);
  });

  it('the filters of a dataset are named beside it', async () => {
    vi.stubGlobal('fetch', fetchFilter);
    const opened = await open();
    expect(await opened.answer({ kind: 'node', path: '/bzip2' })).toMatchObject({
      facts: expect.arrayContaining([{ name: 'Packed with', value: 'bzip2' }]) as unknown,
    });
  });
});
