import { describe, expect, test } from 'vitest';
import { changeSettings, done, useQueueWorld } from './queue-world.ts';

const world = useQueueWorld();

describe('what is told', () => {
  const told = (name: string) => world.told.filter((one) => one.name === name);

  test('progress at most four times a second, with rate, time left and standstill; the sum once a second', async () => {
    const id = await world.add();
    await world.journal.begin(id, { manifestDigest: null, filesTotal: 1, bytesTotal: 1_000_000 });
    world.told.length = 0;
    const from = world.clock.steady();
    for (let step = 0; step < 100; step += 1) {
      world.runOf(id).receive(1000);
      await world.clock.advance(100);
    }
    const seconds = (world.clock.steady() - from) / 1000;
    expect(told('fetch').length).toBeGreaterThan(seconds * 3);
    expect(told('fetch').length).toBeLessThanOrEqual(seconds * 4 + 1);
    expect(told('incoming').length).toBeGreaterThanOrEqual(seconds - 1);
    expect(told('incoming').length).toBeLessThanOrEqual(seconds + 1);
    const last = told('incoming').at(-1)?.event as {
      down_bytes_per_second: number;
      running: number;
      seconds_left: number;
    };
    expect(last.running).toBe(1);
    expect(last.down_bytes_per_second).toBeGreaterThan(9000);
    expect(last.down_bytes_per_second).toBeLessThan(11_000);
    const shown = await world.shown(id);
    expect(shown).toMatchObject({
      state: 'running',
      phase: 'fetching',
      bytes_done: 100_000,
      connections: 1,
      stalled: false,
    });
    expect(shown.seconds_left).toBeGreaterThan(80);
    expect(shown.seconds_left).toBeLessThan(100);
    await world.clock.advance(14_000);
    expect((await world.shown(id)).stalled).toBe(false);
    await world.clock.advance(2000);
    expect(await world.shown(id)).toMatchObject({
      stalled: true,
      bytes_per_second: 0,
      seconds_left: null,
      state: 'running',
    });
    await world.runOf(id).end(done);
    await world.clock.advance(2000);
    expect(told('incoming').at(-1)?.event).toEqual({
      down_bytes_per_second: 0,
      running: 0,
      seconds_left: null,
      unknown_sizes: 0,
    });
    const count = told('incoming').length;
    await world.clock.advance(5000);
    expect(told('incoming')).toHaveLength(count);
    expect(told('fetch').at(-1)?.event).toMatchObject({ id, state: 'done' });
  });

  test('U6: the sum counts what small fetches bring that begin and end between two looks', async () => {
    await changeSettings(world, { at_most: 1 });
    await world.several(200);
    world.told.length = 0;
    for (let step = 0; step < 100; step += 1) {
      const [id] = world.running();
      world.runOf(id ?? 0).receive(10_000);
      await world.runOf(id ?? 0).end(done);
      await world.clock.advance(100);
    }
    const rates = told('incoming').map(
      ({ event }) => (event as { down_bytes_per_second: number }).down_bytes_per_second,
    );
    expect(rates.at(-1)).toBeGreaterThan(90_000);
    expect(rates.at(-1)).toBeLessThan(110_000);
    expect(Math.min(...rates.slice(2))).toBeGreaterThan(50_000);
  });

  test('U6: after a rest the sum is of what comes now, not a mean over the rest', async () => {
    const first = await world.add();
    world.runOf(first).receive(10_000);
    await world.runOf(first).end(done);
    await world.clock.advance(3_600_000);
    const second = await world.add();
    for (let step = 0; step < 20; step += 1) {
      world.runOf(second).receive(10_000);
      await world.clock.advance(100);
    }
    const last = told('incoming').at(-1)?.event as { down_bytes_per_second: number };
    expect(last.down_bytes_per_second).toBeGreaterThan(80_000);
    expect(last.down_bytes_per_second).toBeLessThan(120_000);
  });

  test('U6: the time left is of all that runs or waits for its turn, and says how many sizes are not in it', async () => {
    await changeSettings(world, { at_most: 1 });
    const [running, sized, , paused, verified] = await world.several(5);
    const size = async (id: number | undefined, bytesTotal: number): Promise<void> =>
      world.journal.begin(id ?? 0, { manifestDigest: new Uint8Array([1]), filesTotal: 1, bytesTotal });
    for (const [id, bytes] of [
      [running, 1_000_000],
      [sized, 3_000_000],
      [paused, 50_000_000],
      [verified, 70_000_000],
    ] as const)
      await size(id, bytes);
    await world.queue.act('pause', [paused ?? 0]);
    // It was fetched before and is only to be read once more.
    world.database.prepare('UPDATE fetches SET ended_at = 1 WHERE id = ?').run(verified);
    for (let step = 0; step < 80; step += 1) {
      world.runOf(running ?? 0).receive(1000);
      await world.clock.advance(100);
    }
    const last = told('incoming').at(-1)?.event as { seconds_left: number; unknown_sizes: number };
    // 3.92 MB at 10 kB/s.
    expect(last.seconds_left).toBeGreaterThan(350);
    expect(last.seconds_left).toBeLessThan(435);
    expect(last.unknown_sizes).toBe(1);
  });

  test('U6: a fetch to which nothing comes says for how long', async () => {
    const id = await world.add();
    world.runOf(id).progress = { ...world.runOf(id).progress, phase: 'fetching' };
    world.runOf(id).receive(1000);
    await world.clock.advance(1000);
    await world.clock.advance(8000);
    expect(await world.shown(id)).toMatchObject({ silent_seconds: 8, stalled: false });
  });

  test('U10: a fetch whose files failed says why, where they share a reason, and else the most frequent one', async () => {
    const fail = async (messages: readonly string[]): Promise<string | null> => {
      const id = await world.add();
      await world.journal.begin(id, { manifestDigest: null, filesTotal: messages.length, bytesTotal: 1000 });
      const files = messages.map((_, index) => ({
        index,
        path: `f-${index}`,
        href: null,
        length: 1,
        crc32: null,
        sha256: null,
      }));
      await world.journal.addFiles(id, files);
      await world.journal.record(
        id,
        messages.map((message, index) => ({ kind: 'failed', index, reason: 'file-changed', message })),
      );
      const count = messages.length;
      await world
        .runOf(id)
        .end({ kind: 'failed', reason: 'files-failed', message: `${count} of ${count} files could not be fetched.` });
      return (await world.shown(id)).message;
    };
    expect(await fail(['It is altered (409).', 'It is altered (409).'])).toBe(
      '2 of 2 files could not be fetched: It is altered (409).',
    );
    expect(await fail(['It is gone.', 'It is altered (409).', 'It is altered (409).'])).toBe(
      '3 of 3 files could not be fetched. Most often (2 files): It is altered (409).',
    );
  });

  test('a change of the list, once for many changes', async () => {
    const ids = await world.several(200, { paused: true });
    await world.clock.advance(1000);
    world.told.length = 0;
    await world.queue.act('cancel', ids);
    await world.queue.act('retry', ids);
    await world.queue.act('pause', ids);
    await world.clock.advance(250);
    const changes = told('changed');
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.length).toBeLessThan(4);
  });
});
