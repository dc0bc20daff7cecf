import { mkdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FetchOutcome } from '../../../../src-main/service/fetching/engine/types.ts';
import { turns } from './fake-engine.ts';
import { done, useQueueWorld } from './queue-world.ts';

const world = useQueueWorld();

const refused: FetchOutcome = { kind: 'ask', reason: 'token-refused', message: 'no token' };

/** Waits for what takes more than a turn: a look at a folder. */
async function asks(id: number): Promise<void> {
  while ((await world.state(id)) !== 'asking') await turns();
}

describe('asking the user', () => {
  test('a refused token stops all fetches of its server, and another one resumes them', async () => {
    const ids = await world.several(5);
    const other = await world.add({ serverId: 2, baseUrl: 'http://facility.example' });
    await world.runOf(ids[0] ?? 0).end(refused);
    expect(await world.shown(ids[4] ?? 0)).toMatchObject({
      state: 'asking',
      reason: 'token-refused',
      message: 'no token',
    });
    expect(world.running()).toEqual([ids[1], ids[2], other]);
    await world.serversChanged();
    expect(await world.state(ids[0] ?? 0)).toBe('asking');
    world.tokens.set(1, 'another');
    // One that was asked with the old token, and refused after the new one came.
    await world.serversChanged();
    await world.runOf(ids[1] ?? 0).end(refused);
    await world.runOf(ids[2] ?? 0).end(done);
    expect(await world.list.counts()).toMatchObject({ attention: 0, active: 5, done: 1 });
    expect(world.runOf(ids[0] ?? 0).plan.source.token).toBe('another');
  });

  test('one without access asks alone', async () => {
    const ids = await world.several(4);
    await world.runOf(ids[0] ?? 0).end({ kind: 'ask', reason: 'no-access', message: 'not yours' });
    expect(await world.list.counts()).toMatchObject({ attention: 1, active: 3 });
    await world.queue.act('resume', [ids[0] ?? 0]);
    await world.runOf(ids[1] ?? 0).end(done);
    expect(world.running()).toContain(ids[0]);
  });

  test('a server that is not in the list any more asks, and goes on when it is there again', async () => {
    const servers = world.servers;
    world.servers = [];
    await world.serversChanged();
    const id = await world.add();
    expect(await world.shown(id)).toMatchObject({ state: 'asking', reason: 'no-access', server_name: 'lab.example' });
    world.servers = [{ ...servers[0], id: 7, name: 'Lab again' } as (typeof servers)[number]];
    await world.serversChanged();
    expect(world.running()).toEqual([id]);
    expect(await world.shown(id)).toMatchObject({ server_id: 7, server_name: 'Lab again' });
  });

  test('without space nothing begins; it continues when there is', async () => {
    const id = await world.add({ target: '/data/m', paused: true });
    await world.journal.begin(id, { manifestDigest: null, filesTotal: 1, bytesTotal: 1e9 });
    world.rooms.set('/data/m', { free: 1e9, disk: 'x', made: true });
    await world.queue.act('resume', [id]);
    await turns();
    const shown = await world.shown(id);
    expect(shown).toMatchObject({ state: 'asking', reason: 'disk-full' });
    expect(shown.message).toContain('1017.7 MiB');
    expect(shown.message).toContain('953.7 MiB is free');
    await world.clock.advance(12_000);
    expect(await world.state(id)).toBe('asking');
    world.rooms.set('/data/m', { free: 1.1e9, disk: 'x', made: true });
    await world.clock.advance(6000);
    expect(world.running()).toEqual([id]);
  });

  test('an archive that is unpacked in part needs room for the rest alone', async () => {
    const target = path.join(world.dir, 'm');
    const id = await world.add({ what: 'archive', unpack: true, target, paused: true });
    await world.journal.addFiles(id, [{ index: 0, path: 'm.zip', href: null, length: 1e9, crc32: null, sha256: null }]);
    await world.journal.begin(id, { manifestDigest: null, filesTotal: 1, bytesTotal: 1e9 });
    await world.journal.record(id, [
      { kind: 'done', index: 0, skipped: false, length: 1e9, crc32: 1, sha256: new Uint8Array(32) },
    ]);
    await mkdir(path.join(target, 'deep'), { recursive: true });
    // Files with holes: nothing is written.
    for (const [name, length] of [
      ['m.zip.benchport-part', 1e9],
      ['a.bin', 3e8],
      ['deep/b.bin', 4e8],
    ] as const) {
      await writeFile(path.join(target, name), '');
      await truncate(path.join(target, name), length);
    }
    world.rooms.set(target, { free: 3.6e8, disk: 'x', made: true });
    await world.queue.act('resume', [id]);
    await asks(id);
    // 300 MB of it, and what is left free for others.
    expect((await world.shown(id)).message).toContain('350.1 MiB');
    await world.clock.advance(12_000);
    expect(await world.state(id)).toBe('asking');
    world.rooms.set(target, { free: 3.7e8, disk: 'x', made: true });
    while (world.running().length === 0) await world.clock.advance(1000);
    expect(world.running()).toEqual([id]);
  });

  test('what is paused while it asks stays so when another token comes, and is asked for with it later', async () => {
    const id = await world.add();
    await world.runOf(id).end(refused);
    expect(await world.queue.act('pause', [id])).toBe(1);
    world.tokens.set(1, 'another');
    await world.serversChanged();
    expect(await world.shown(id)).toMatchObject({ state: 'paused', reason: null });
    await world.queue.act('resume', [id]);
    await turns();
    expect(world.runOf(id).plan.source.token).toBe('another');
  });

  test('what others on the disk will still write is not free', async () => {
    world.room = { free: 1.5e9, disk: 'x', made: true };
    const [a, b] = await world.several(2, { paused: true });
    for (const id of [a, b])
      await world.journal.begin(id ?? 0, { manifestDigest: null, filesTotal: 1, bytesTotal: 1e9 });
    await world.queue.act('resume', 'all');
    await turns();
    expect([await world.state(a ?? 0), await world.state(b ?? 0)]).toEqual(['running', 'asking']);
    await world.clock.advance(1000);
    world.told.length = 0;
    await world.clock.advance(12_000);
    // It was not even tried.
    expect(world.told.filter(({ name }) => name === 'changed')).toEqual([]);
    world.room = { free: 0.9e9, disk: 'x', made: true };
    await world.clock.advance(10_000);
    expect(await world.state(b ?? 0)).toBe('asking');
    world.room = { free: 1.1e9, disk: 'x', made: true };
    await world.runOf(a ?? 0).end(done);
    await world.clock.advance(6000);
    expect(world.running()).toEqual([b]);
  });

  test('a disk that fills up, or is too small for what turns out to come, stops what runs', async () => {
    world.rooms.set('/one/m', { free: 1e9, disk: 'one', made: true });
    world.rooms.set('/two/m', { free: 1e9, disk: 'two', made: true });
    const [a, b] = [await world.add({ target: '/one/m' }), await world.add({ target: '/two/m' })];
    await world.journal.begin(a, { manifestDigest: null, filesTotal: 1, bytesTotal: 2e9 });
    await world.journal.begin(b, { manifestDigest: null, filesTotal: 1, bytesTotal: 5e8 });
    await world.clock.advance(1100);
    expect([await world.state(a), await world.state(b)]).toEqual(['asking', 'running']);
    // Somebody else needs some of it for a while.
    world.rooms.set('/two/m', { free: 3e8, disk: 'two', made: true });
    await world.clock.advance(3000);
    expect(await world.state(b)).toBe('running');
    world.rooms.set('/two/m', { free: 1e6, disk: 'two', made: true });
    await world.clock.advance(1100);
    expect(await world.shown(b)).toMatchObject({ state: 'asking', reason: 'disk-full' });
    expect(world.running()).toEqual([]);
  });

  test('a write that failed although the disk says that it has room is not tried before more is free', async () => {
    const id = await world.add({ target: '/data/m' });
    world.rooms.set('/data/m', { free: 1e9, disk: 'x', made: true });
    await world.runOf(id).end({ kind: 'ask', reason: 'disk-full', message: 'full' });
    expect((await world.shown(id)).message).toContain('is free on the disk of /data/m');
    await world.clock.advance(20_000);
    expect(await world.state(id)).toBe('asking');
    world.rooms.set('/data/m', { free: 1.1e9, disk: 'x', made: true });
    await world.clock.advance(6000);
    expect(await world.state(id)).toBe('running');
  });

  test('a fetch waits for a missing folder', async () => {
    world.rooms.set('/data/m', null);
    const id = await world.add({ target: '/data/m' });
    expect(await world.shown(id)).toMatchObject({ state: 'asking', reason: 'target-missing' });
    await world.clock.advance(10_000);
    expect(world.running()).toEqual([]);
    world.rooms.set('/data/m', { free: 1e12, disk: 'x', made: false });
    await world.clock.advance(6000);
    expect(world.running()).toEqual([id]);
  });

  test('a folder that another process fetches into is waited for, and let go of at the end', async () => {
    world.busy.add('/data/m');
    const id = await world.add({ target: '/data/m' });
    const other = await world.add({ target: '/data/other' });
    expect(world.running()).toEqual([other]);
    expect(await world.shown(id)).toMatchObject({
      state: 'waiting',
      reason: 'target-busy',
      message: expect.stringContaining('Another download into /data/m is running'),
    });
    world.busy.clear();
    await world.clock.advance(11_000);
    expect(world.running()).toEqual([other, id]);
    expect(world.locked).toEqual(['/data/other', '/data/m']);
    for (const one of [other, id]) await world.runOf(one).end(done);
    expect(world.locked).toEqual([]);
    // Reading again writes nothing.
    world.busy.add('/data/m');
    await world.queue.act('verify', [id]);
    await turns();
    expect(world.running()).toEqual([id]);
  });
});
