import { describe, expect, test } from 'vitest';
import { filesStore } from '../../../../src-main/service/measurements/store/files-store.ts';
import { addMeasurement } from '../../fixture-measurement.ts';
import { useWorld } from '../../use-service.ts';
import { startDavWorld } from './dav-world.ts';

const many = 100_000;
const world = useWorld(async () => {
  const started = await startDavWorld();
  const name = (i: number) => String(i).padStart(6, '0');
  await addMeasurement(
    started,
    started.aliceId,
    'many',
    Array.from({ length: many }, (_, i) => ({ path: `flat/f${name(i)}`, rowOnly: true })),
  );
  await addMeasurement(
    started,
    started.aliceId,
    'folders',
    Array.from({ length: 4000 }, (_, i) => ({
      path: `d${name(i % 5)}/sub${name(i % 100)}/f${name(i)}`,
      rowOnly: true,
    })),
  );
  for (let i = 0; i < 120; i += 1)
    await addMeasurement(started, started.aliceId, `small-${name(i)}`, [{ path: 'x', rowOnly: true }]);
  return started;
});

describe('many', () => {
  test('files in a folder are all listed, while they are read, and nothing is held', async () => {
    const response = await world.dav('PROPFIND', '/dav/many/flat/', { headers: { depth: '1' } });
    let files = 0;
    let slices = 0;
    let rest = '';
    const decoder = new TextDecoder();
    for await (const slice of response.body ?? []) {
      const text = rest + decoder.decode(slice, { stream: true });
      const parts = text.split('</D:response>');
      files += parts.length - 1;
      rest = parts.at(-1) ?? '';
      slices += 1;
    }
    expect(files).toBe(many + 1);
    expect(slices).toBeGreaterThan(100);
    expect(rest).toContain('</D:multistatus>');
  });

  test('files below folders are skipped', async () => {
    expect((await world.list('/dav/folders/')).map(({ found }) => found['displayname'])).toEqual([
      'folders',
      ...Array.from({ length: 5 }, (_, i) => `d00000${i}`),
    ]);
    expect(await world.list('/dav/folders/d000001/')).toHaveLength(21);
    expect(await world.list('/dav/folders/d000001/sub000001/')).toHaveLength(41);
  });

  test('measurements are all listed', async () => {
    expect(await world.list('/dav/')).toHaveLength(1 + 1 + 2 + 120);
  });

  test('a client that goes away in the middle leaves the service as it was', async () => {
    for (let i = 0; i < 20; i += 1) {
      const response = await world.dav('PROPFIND', '/dav/many/flat/', { headers: { depth: '1' } });
      await response.body?.cancel();
    }
    expect(await world.list('/dav/run-1/')).toHaveLength(7);
  });
});

test('the first path not before a text is found from every start', async () => {
  const files = filesStore(world.services.database);
  const count = 4000;
  const rows = await files.from('folders', 0, count);
  for (const [path, from] of [
    ['', 0],
    ['d', 0],
    ['d000002/', 0],
    ['d000002/', 17],
    ['d0000020', 1600],
    ['d000004/sub000099/f003999', 0],
    ['e', 0],
    ['e', 4000],
  ] as const) {
    const expected = rows.findIndex((row) => row.idx >= from && row.path >= path);
    expect(await files.firstNotBefore('folders', path, from, count)).toBe(expected < 0 ? count : expected);
  }
});
