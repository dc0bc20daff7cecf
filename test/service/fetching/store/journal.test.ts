import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JournalChange, Piece } from '../../../../src-main/service/fetching/engine/types.ts';
import { fetchListStore } from '../../../../src-main/service/fetching/store/fetch-list-store.ts';
import { file, useJournal } from './journal-world.ts';

const world = useJournal();
const { stored } = world;

const done = (index: number, length: number): JournalChange => ({
  kind: 'done',
  index,
  skipped: false,
  length,
  crc32: 7,
  sha256: new Uint8Array(32),
});
const failed = (index: number): JournalChange => ({ kind: 'failed', index, reason: 'not-found', message: 'gone' });

test('pieces are merged with their neighbours, whatever the order and overlap', async () => {
  const range = fc
    .tuple(fc.nat(60), fc.integer({ min: 1, max: 20 }))
    .map(([start, length]): Piece => [start, start + length]);
  let index = -1;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(range, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
      async (records) => {
        index += 1;
        const bytesBefore = (await world.journal.standing(world.id)).bytesDone;
        await world.journal.addFiles(world.id, [file(index, 100)]);
        for (const pieces of records) await world.journal.record(world.id, [{ kind: 'pieces', index, pieces }]);
        const there = Array.from({ length: 101 }, (_none, at) =>
          records.flat().some(([start, end]) => start <= at && at < end),
        );
        const merged: [number, number][] = [];
        for (const [at, is] of there.entries()) {
          if (is && there[at - 1] !== true) merged.push([at, at + 1]);
          else if (is) (merged.at(-1) as [number, number])[1] = at + 1;
        }
        expect(await world.journal.pieces(world.id, index)).toEqual(merged);
        expect((await world.journal.standing(world.id)).bytesDone - bytesBefore).toBe(there.filter(Boolean).length);
      },
    ),
    { numRuns: 60 },
  );
});

test('counters are those of the files after whatever happens to them', async () => {
  const index = fc.nat(4);
  const change = fc.oneof(
    fc.record({
      kind: fc.constant('pieces' as const),
      index,
      pieces: fc.constantFrom([[0, 10]] as Piece[], [[5, 40]] as Piece[], [[90, 100]] as Piece[]),
    }),
    fc.record({ kind: fc.constant('restart' as const), index, counts: fc.boolean() }),
    fc.record({
      kind: fc.constant('begin' as const),
      index,
      etag: fc.constant('"a"'),
      length: fc.constantFrom(null, 100),
    }),
    index.map((at) => done(at, 100)),
    index.map(failed),
    // Of those whose checksums are listed, some may have pieces, be done or have failed.
    fc
      .constantFrom([0, 0], [0, 3], [1, 2], [2, 3])
      .map(([first = 0, last = 0]): JournalChange => ({ kind: 'as-listed', first, last })),
  );
  await world.journal.addFiles(
    world.id,
    [0, 1, 2, 3, 4].map((at) => ({ ...file(at, at === 4 ? null : 100), sha256: at === 4 ? null : new Uint8Array(32) })),
  );
  await world.journal.begin(world.id, { manifestDigest: new Uint8Array([1]), filesTotal: 5, bytesTotal: null });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
      await world.journal.record(world.id, changes);
      const rows = (await fetchListStore(world.database).files(world.id, 'all', 0, 10)).rows;
      const sum = (some: typeof rows) => some.reduce((total, row) => total + row.bytes_done, 0);
      const whole = rows.filter(({ state }) => state === 'done');
      expect(stored()).toEqual({ files_done: whole.length, bytes_done: sum(rows), bytes_verified: sum(whole) });
      expect(await world.journal.standing(world.id)).toEqual({
        filesDone: whole.length,
        bytesDone: sum(rows),
        bytesVerified: sum(whole),
      });
      const open = rows.filter(({ state }) => state === 'waiting' || state === 'partial').map((row) => row.idx);
      expect((await world.journal.openFiles(world.id, -1, 10)).map((row) => row.index)).toEqual(open);
      expect((await world.journal.doneFiles(world.id, -1, 10)).map((row) => row.index)).toEqual(
        whole.map((row) => row.idx),
      );
    }),
    { numRuns: 100 },
  );
});

describe('a file', () => {
  beforeEach(() => world.journal.addFiles(world.id, [file(0, 100), file(1, null), file(2, 5)]));

  test('that is begun anew has no bytes, no tag, and counts that or not', async () => {
    await world.journal.record(world.id, [
      { kind: 'begin', index: 0, etag: '"a"', length: null },
      { kind: 'pieces', index: 0, pieces: [[0, 50]] },
    ]);
    expect(await world.journal.openFiles(world.id, -1, 1)).toMatchObject([
      { index: 0, etag: '"a"', state: 'partial', length: 100 },
    ]);
    await world.journal.record(world.id, [{ kind: 'restart', index: 0, counts: true }]);
    expect(await world.journal.openFiles(world.id, -1, 1)).toMatchObject([
      { index: 0, etag: null, state: 'waiting', restarts: 1 },
    ]);
    expect(await world.journal.pieces(world.id, 0)).toEqual([]);
    expect(await world.journal.openFiles(world.id, 0, 1)).toMatchObject([{ index: 1 }]);
  });

  test('tells its length when that was not known, and with it the sum', async () => {
    await world.journal.begin(world.id, { manifestDigest: null, filesTotal: 3, bytesTotal: null });
    const total = () => world.database.prepare('SELECT bytes_total FROM fetches').pluck().get();
    await world.journal.record(world.id, [{ kind: 'begin', index: 1, etag: null, length: 1000 }]);
    expect(total()).toBe(1105);
    await world.journal.record(world.id, [{ kind: 'restart', index: 1, counts: false }]);
    await world.journal.record(world.id, [{ kind: 'begin', index: 1, etag: null, length: 2000 }]);
    expect(total()).toBe(2105);
  });

  test('that was promised by nobody is forgotten when it has gone', async () => {
    await world.journal.begin(world.id, { manifestDigest: null, filesTotal: 3, bytesTotal: null });
    await world.journal.record(world.id, [done(1, 1000), done(2, 5)]);
    await world.journal.record(world.id, [
      { kind: 'restart', index: 1, counts: false, forgets: true },
      { kind: 'restart', index: 2, counts: false },
    ]);
    const [, one, two] = await world.journal.openFiles(world.id, -1, 10);
    expect(one).toMatchObject({ length: null, crc32: null, sha256: null, restarts: 0 });
    expect(two).toMatchObject({ length: 5, crc32: expect.any(Number) });
    expect(stored()).toEqual({ files_done: 0, bytes_done: 0, bytes_verified: 0 });
    expect(world.database.prepare('SELECT bytes_total FROM fetches').pluck().get()).toBeNull();
  });

  test('is listed once, however often its listing was interrupted', async () => {
    await world.journal.record(world.id, [done(0, 100)]);
    await world.journal.addFiles(world.id, [file(0, 100), file(3, 9)]);
    expect((await world.journal.openFiles(world.id, -1, 10)).map(({ index }) => index)).toEqual([1, 2, 3]);
  });

  test('that is not known is no reason to lose the others of a record', async () => {
    await expect(world.journal.record(world.id, [done(0, 100), done(77, 1)])).rejects.toThrow('77');
    expect(stored()).toEqual({ files_done: 0, bytes_done: 0, bytes_verified: 0 });
    await expect(world.journal.record(world.id, [{ kind: 'pieces', index: 0, pieces: [[5, 5]] }])).rejects.toThrow(
      'no piece',
    );
  });
});
