import { describe, expect, it } from 'vitest';
import type { Question } from '../../../src-renderer/preview/messages/messages.ts';
import { openFile } from '../../../src-renderer/preview/readers/registry.ts';
import { memorySource } from './memory-source.ts';
import { sampleNexus } from './sample-files.ts';
import { ask } from './ask-reader.ts';

describe('HDF5 and NeXus', () => {
  it('begins with the dataset that the attributes name, over its axis', async () => {
    const bytes = await sampleNexus();
    const opened = await openFile(memorySource(bytes), 'iron.nxs');
    expect(opened.content.firstDataset).toBe('/entry/spectrum/counts');
    const curve = await ask(bytes, 'iron.nxs', 'curve', { kind: 'line', path: '/entry/spectrum/counts', at: [] });
    expect(curve).toMatchObject({ xName: 'energy', yName: 'counts', of: 5000, isSampled: false });
    expect(curve.x.at(-1)).toBeCloseTo(499.8, 0);
    expect([Math.min(...curve.low), Math.max(...curve.high)]).toEqual([100, 199]);
  });

  it('describes groups, datasets, links and values', async () => {
    const bytes = await sampleNexus();
    const entry = await ask(bytes, 'iron.nxs', 'node', { kind: 'node', path: '/entry' });
    expect(entry.attributes).toContainEqual({ name: 'NX_class', value: 'NXentry' });
    expect(entry.children).toEqual([
      { name: 'detector', type: 'group', summary: '' },
      { name: 'lost', type: 'link', summary: 'leads nowhere' },
      { name: 'spectrum', type: 'group', summary: '' },
      { name: 'title', type: 'dataset', summary: 'single value, text' },
    ]);
    const frames = await ask(bytes, 'iron.nxs', 'node', { kind: 'node', path: '/entry/detector/frames' });
    expect(frames).toMatchObject({ picture: 'plane', shape: [6, 64, 48] });
    expect(frames.facts).toContainEqual({ name: 'Packed with', value: 'gzip' });
    expect((await ask(bytes, 'iron.nxs', 'node', { kind: 'node', path: '/entry/title' })).value).toBe(
      'Iron, second try',
    );
  });

  it('a plane is the one that is asked for', async () => {
    const plane = await ask(await sampleNexus(), 'iron.nxs', 'plane', {
      kind: 'plane',
      path: '/entry/detector/frames',
      at: [1],
    });
    expect(plane).toMatchObject({ width: 48, height: 64, extent: 'whole' });
    expect(Array.from(plane.values.slice(0, 3))).toEqual([3072, 3073, 3074]);
  });

  it.each([
    ['/entry/nothing', 'node'],
    ['/entry/title', 'line'],
    ['/entry/detector', 'plane'],
  ] as const)('%s has no %s, which is said', async (path, kind) => {
    const question: Question = kind === 'node' ? { kind, path } : { kind, path, at: [] };
    await expect(ask(await sampleNexus(), 'iron.nxs', 'node', question)).rejects.toMatchObject({ reason: 'malformed' });
  });

  it.each([48, 200, 700, 2000])('one that ends after %d bytes is said to be damaged', async (length) => {
    const bytes = (await sampleNexus()).subarray(0, length);
    await expect(openFile(memorySource(bytes), 'cut.h5')).rejects.toMatchObject({ reason: 'malformed' });
  });

  it('a failure of the network while the library reads is told as one', async () => {
    const bytes = await sampleNexus();
    const source = memorySource(bytes);
    let isDown = false;
    const opened = await openFile(
      {
        ...source,
        readNow: (offset, length) => {
          if (isDown) throw new TypeError('no bytes');
          return source.readNow(offset, length);
        },
      },
      'iron.nxs',
    );
    isDown = true;
    const question: Question = { kind: 'plane', path: '/entry/detector/frames', at: [4] };
    await expect(opened.answer(question)).rejects.toThrow('no bytes');
    isDown = false;
    expect((await opened.answer(question)).kind).toBe('plane');
  });
});
