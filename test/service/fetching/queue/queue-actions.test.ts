import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JournalFile } from '../../../../src-main/service/fetching/engine/types.ts';
import { stageFetch } from '../../../../src-main/service/fetching/stage-fetch.ts';
import { turns } from './fake-engine.ts';
import { done, useQueueWorld } from './queue-world.ts';

describe('a fetch with files', () => {
  const world = useQueueWorld();
  let target: string;
  beforeEach(async () => {
    target = path.join(world.dir, 'm');
    await mkdir(path.join(target, 'raw/deep'), { recursive: true });
  });

  const file = (index: number, name: string): JournalFile => ({
    index,
    path: name,
    href: null,
    length: 100,
    crc32: 1,
    sha256: null,
    etag: null,
    state: 'waiting',
    restarts: 0,
  });

  /** A running fetch: one file is there, one half, one not at all. */
  async function begun(): Promise<number> {
    const id = await world.add({ target });
    await world.journal.addFiles(id, [file(0, 'note.txt'), file(1, 'raw/deep/trace.bin'), file(2, 'raw/other.bin')]);
    await world.journal.begin(id, { manifestDigest: new Uint8Array([1]), filesTotal: 3, bytesTotal: 300 });
    await world.journal.record(id, [
      { kind: 'done', index: 0, skipped: false, length: 100, crc32: 1, sha256: new Uint8Array(32) },
      { kind: 'begin', index: 1, etag: '"a"', length: null },
      { kind: 'pieces', index: 1, pieces: [[0, 50]] },
    ]);
    await writeFile(path.join(target, 'note.txt'), 'a note\n');
    await writeFile(path.join(target, 'raw/deep/trace.bin.benchport-part'), 'half');
    return id;
  }
  const names = async () => (await readdir(target, { recursive: true })).toSorted();
  const counters = async (id: number) => {
    const { files_done: files, bytes_done: bytes } = await world.shown(id);
    return [files, bytes];
  };

  test('is tried again by the user: what had to begin anew before counts no more', async () => {
    const id = await begun();
    await world.journal.record(id, [
      { kind: 'restart', index: 1, counts: true },
      { kind: 'pieces', index: 1, pieces: [[0, 10]] },
      { kind: 'restart', index: 2, counts: true },
      { kind: 'failed', index: 2, reason: 'checksum-mismatch', message: 'wrong twice' },
    ]);
    await world.runOf(id).end({ kind: 'failed', reason: 'files-failed', message: 'one failed' });
    await world.queue.act('retry', [id]);
    expect(await world.journal.openFiles(id, -1, 9)).toMatchObject([
      { index: 1, state: 'partial', restarts: 0 },
      { index: 2, state: 'waiting', restarts: 0 },
    ]);
    expect(await world.journal.pieces(id, 1)).toEqual([[0, 10]]);
  });

  test('is cancelled: what is whole stays, what is half and what is empty goes', async () => {
    const id = await begun();
    expect(await counters(id)).toEqual([1, 150]);
    await world.queue.act('cancel', [id]);
    expect(await world.state(id)).toBe('cancelled');
    expect(await names()).toEqual(['note.txt']);
    expect(await counters(id)).toEqual([1, 100]);
    await world.queue.act('retry', [id]);
    await turns();
    expect(world.running()).toEqual([id]);
    expect(world.runOf(id).plan.manifestDigest).not.toBeNull();
  });

  test('U12: clearing forgets what is done alone', async () => {
    const ids: number[] = [];
    for (let number = 0; number < 3; number += 1) ids.push(await world.add());
    const [doneOne = 0, failedOne = 0, running = 0] = ids;
    await world.runOf(doneOne).end(done);
    await world.runOf(failedOne).end({ kind: 'failed', reason: 'bad-manifest', message: 'no manifest' });
    expect(await world.queue.act('clear', 'all')).toBe(1);
    expect(await world.fetches.byId(doneOne)).toBeNull();
    expect([await world.state(failedOne), await world.state(running)]).toEqual(['failed', 'running']);
  });

  test('an archive that has come and is not proven yet: it cannot be dragged out, and nothing of it stays when it is cancelled', async () => {
    const id = await world.add({ target, what: 'archive', measurementId: 'm' });
    await world.journal.addFiles(id, [{ ...file(0, 'm.zip'), crc32: null }]);
    await world.journal.begin(id, { manifestDigest: new Uint8Array([1]), filesTotal: 1, bytesTotal: 100 });
    await world.journal.record(id, [
      { kind: 'done', index: 0, skipped: false, length: 100, crc32: 1, sha256: new Uint8Array(32) },
    ]);
    await writeFile(path.join(target, 'm.zip.benchport-part'), 'an archive');
    const row = await world.fetches.byId(id);
    for (const index of [null, 0])
      await expect(row && stageFetch(world.list, row, index)).rejects.toMatchObject({
        status: 409,
        type: 'not-whole',
        message: 'Still downloading. You can drag it out once it is complete and verified.',
      });
    await expect(row && stageFetch(world.list, { ...row, state: 'paused' }, null)).rejects.toThrow(
      'This download is not complete. You can drag it out once it is complete and verified.',
    );
    await world.queue.act('cancel', [id]);
    expect(await names()).toEqual(['raw', 'raw/deep']);
    expect(await counters(id)).toEqual([0, 0]);
    // When it is wanted after all, it is fetched as if for the first time.
    await world.queue.act('retry', [id]);
    expect(await world.journal.openFiles(id, -1, 9)).toMatchObject([
      { state: 'waiting', restarts: 0, crc32: null, sha256: null },
    ]);
  });

  test('is cancelled while it waits, and nothing behind a link is touched', async () => {
    const id = await begun();
    await world.queue.act('pause', [id]);
    const elsewhere = path.join(world.dir, 'elsewhere');
    await mkdir(path.join(elsewhere, 'deep'), { recursive: true });
    await rm(path.join(target, 'raw'), { recursive: true });
    await symlink(elsewhere, path.join(target, 'raw'));
    await writeFile(path.join(elsewhere, 'other.bin.benchport-part'), 'not ours');
    await world.queue.act('cancel', [id]);
    expect(await world.state(id)).toBe('cancelled');
    expect((await readdir(elsewhere)).toSorted()).toEqual(['deep', 'other.bin.benchport-part']);
  });

  test('is removed: also half files, but not those that another one needs', async () => {
    const first = await begun();
    await world.queue.act('pause', [first]);
    const second = await world.add({ target, chosen: [1] });
    expect(await world.queue.act('remove', [first])).toBe(1);
    expect(await names()).toContain('raw/deep/trace.bin.benchport-part');
    await expect(world.shown(first)).rejects.toThrow('gone');
    expect(await world.journal.openFiles(first, -1, 10)).toEqual([]);
    await world.runOf(second).end({ kind: 'failed', reason: 'not-found', message: 'gone' });
    await world.journal.addFiles(second, [file(1, 'raw/deep/trace.bin')]);
    await world.journal.begin(second, { manifestDigest: null, filesTotal: 1, bytesTotal: 100 });
    expect(await world.queue.act('remove', 'all')).toBe(1);
    expect(await names()).toEqual(['note.txt']);
  });

  test('that failed is tried again with its files, or from its manifest on', async () => {
    const id = await begun();
    await world.journal.record(id, [{ kind: 'failed', index: 2, reason: 'checksum-mismatch', message: 'wrong' }]);
    await world.runOf(id).end({ kind: 'failed', reason: 'files-failed', message: '1 of 3' });
    expect((await world.journal.openFiles(id, -1, 10)).map(({ index }) => index)).toEqual([1]);
    await world.queue.act('retry', 'all');
    await turns();
    expect((await world.journal.openFiles(id, -1, 10)).map(({ index }) => index)).toEqual([1, 2]);
    expect(await world.shown(id)).toMatchObject({ state: 'running', reason: null, ended_at: null, bytes_done: 150 });
    await world.runOf(id).end({ kind: 'failed', reason: 'manifest-changed', message: 'another' });
    await world.queue.act('retry', [id]);
    await turns();
    expect(world.runOf(id).plan.manifestDigest).toBeNull();
    expect(await world.journal.openFiles(id, -1, 10)).toEqual([]);
    expect(await counters(id)).toEqual([0, 0]);
  });

  test('is verified when it has ended, and is as it was when that is stopped', async () => {
    const id = await begun();
    await world.journal.record(
      id,
      [1, 2].map((index) => ({
        kind: 'done',
        index,
        skipped: false,
        length: 100,
        crc32: 1,
        sha256: new Uint8Array(32),
      })),
    );
    expect(await world.queue.act('verify', [id])).toBe(0);
    await world.runOf(id).end({ kind: 'done' });
    const ended = (await world.shown(id)).ended_at;
    for (const stop of [
      async () => world.queue.act('pause', [id]),
      async () => world.queue.act('cancel', 'all'),
      async () => world.restart(),
    ]) {
      expect(await world.queue.act('verify', 'all')).toBe(1);
      await turns();
      expect(world.runOf(id).verifying).toBe(true);
      expect(await world.shown(id)).toMatchObject({ state: 'running', phase: 'verifying', stalled: false });
      await stop();
      await turns();
      expect(await world.shown(id)).toMatchObject({ state: 'done', ended_at: ended, bytes_done: 300 });
      expect(world.running()).toEqual([]);
    }
    // That its server is away, which has the list of what was unpacked, says nothing of what was fetched.
    for (const [outcome, message] of [
      [{ kind: 'retry', reason: 'unreachable', message: 'gone', afterMs: null }, 'It could not be verified. gone'],
      [{ kind: 'done' }, null],
    ] as const) {
      await world.queue.act('verify', [id]);
      await turns();
      await world.runOf(id).end(outcome);
      expect(await world.shown(id)).toMatchObject({ state: 'done', message, ended_at: ended, retry_at: null });
    }
    // It needs neither its server nor the hours of the schedule.
    world.servers = [];
    await world.serversChanged();
    await world.queue.setSettings({ ...world.queue.settings(), schedule: '0'.repeat(168) });
    await world.queue.act('verify', [id]);
    await world.clock.advance(5000);
    await world.journal.record(id, [{ kind: 'failed', index: 2, reason: 'checksum-mismatch', message: 'damaged' }]);
    await world.runOf(id).end({ kind: 'failed', reason: 'files-failed', message: '1 of 3 files is damaged' });
    expect(await world.shown(id)).toMatchObject({
      state: 'failed',
      reason: 'files-failed',
      files_done: 2,
      ended_at: ended,
    });
  });

  test('whose folder has gone asks, and begins anew in another one', async () => {
    const id = await begun();
    await world.queue.act('pause', [id]);
    world.rooms.set(target, { free: 1e12, disk: 'd', made: false });
    await world.queue.act('resume', [id]);
    await turns();
    expect(await world.shown(id)).toMatchObject({ state: 'asking', reason: 'target-missing' });
    await world.clock.advance(12_000);
    expect(await world.state(id)).toBe('asking');
    expect(await world.queue.setTarget(id, path.join(world.dir, 'other'))).toBe(true);
    await world.queue.act('resume', [id]);
    await turns();
    expect(world.runOf(id).plan).toMatchObject({ target: path.join(world.dir, 'other'), manifestDigest: null });
    expect(await world.queue.setTarget(id, target)).toBe(false);
  });
});
