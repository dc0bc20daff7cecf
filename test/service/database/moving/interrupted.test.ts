import { once } from 'node:events';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { abandonMove, moveDatabase } from '../../../../src-main/service/database/moving/move-database.ts';
import { withSides, type MovePlaces } from '../../../../src-main/service/database/moving/open-sides.ts';
import type { MoveSource, MoveTarget } from '../../../../src-main/service/database/moving/sides.ts';
import {
  contentsOf,
  emptyDatabase,
  moveAll,
  queryPostgres,
  toPostgres,
  toSqlite,
  useMove,
  whyNotServed,
} from './move-fixture.ts';

const { signal } = new AbortController();
const report = (): void => undefined;

/** Moves in another process until it kills itself. */
async function moveAndDie({ to, dataDir, url }: MovePlaces, ...point: readonly string[]): Promise<void> {
  const program = path.join(import.meta.dirname, 'move-and-die.ts');
  const child = spawn(process.execPath, [program, to, dataDir, url, ...point], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
}

async function abandon(places: MovePlaces): Promise<boolean> {
  return withSides(places, async (source, target) => (await abandonMove(source, target)).wasComplete);
}

const points = [
  ['moving'],
  ['looking', '5'],
  ['prepared'],
  ['copying', '1'],
  // In the middle of files and of events, which have more than one page.
  ['copying', '20'],
  ['copying', '15'],
  ['finished'],
  ['comparing', '10'],
  ['placed'],
  ['done'],
] as const;
const isMoving = /is being moved to .*Run "benchport database migrate-to" again to go on, or with --abandon to give up/;

describe('a move to PostgreSQL', () => {
  const move = useMove();

  it('goes on after it was killed at any point, and no service starts meanwhile', async () => {
    const before = contentsOf(move.fixture.dataDir);
    for (const point of points) {
      await moveAndDie(toPostgres(move.fixture), ...point);
      expect(await whyNotServed(move.fixture.dataDir)).toMatch(isMoving);
      const there = await whyNotServed(move.fixture.dataDir, move.fixture.url);
      if (['moving', 'looking'].includes(point[0])) expect(there).toMatch(/has no tables of Benchport/);
      else if (point[0] !== 'done') expect([point, there]).toEqual([point, expect.stringMatching(isMoving)]);
    }
    await withSides(toPostgres(move.fixture), async (source, target) =>
      moveDatabase({ source, target, settings: [['of.the.target', '1']], signal, report }),
    );
    expect(await queryPostgres(move.fixture.url, `SELECT value FROM settings WHERE key = 'of.the.target'`)).toEqual([
      { value: '1' },
    ]);
    const users = await queryPostgres(move.fixture.url, 'SELECT username FROM users ORDER BY id');
    expect(users).toEqual([{ username: 'alice' }, { username: 'Bob' }]);
    expect(contentsOf(move.fixture.dataDir)).toEqual(before);
    expect(await whyNotServed(move.fixture.dataDir)).toMatch(/was moved to/);
  });
});

describe('a move to SQLite', () => {
  const move = useMove();
  beforeAll(async () => {
    await moveAll(toPostgres(move.fixture));
  });

  it('goes on after it was killed at any point, and no service starts meanwhile', async () => {
    for (const point of points) {
      await moveAndDie(toSqlite(move.back, move.fixture.url), ...point);
      expect(await whyNotServed(move.fixture.dataDir, move.fixture.url)).toMatch(isMoving);
      if (point[0] !== 'done')
        expect([point, await whyNotServed(move.back)]).toEqual([point, expect.stringMatching(isMoving)]);
    }
    await moveAll(toSqlite(move.back, move.fixture.url));
    expect(contentsOf(move.back)).toEqual(contentsOf(move.fixture.dataDir));
    expect(await whyNotServed(move.fixture.dataDir, move.fixture.url)).toMatch(/was moved to/);
    expect(await whyNotServed(move.back)).toBe('it started');
  });
});

describe('a move that cannot end', () => {
  const move = useMove();
  let places: MovePlaces;
  beforeAll(() => {
    places = toPostgres(move.fixture);
  });

  const withTarget = async (change: (target: MoveTarget) => MoveTarget): Promise<unknown> =>
    withSides(places, async (source: MoveSource, target: MoveTarget) =>
      moveDatabase({ source, target: change(target), signal, report }),
    );

  it('does not switch when one value differs, and is given up', async () => {
    const spoilt = withTarget((target) => ({
      ...target,
      insert: async (table, rows) =>
        target.insert(table, table.name === 'error_tags' ? rows.map((row) => row.with(3, 7)) : rows),
    }));
    await expect(spoilt).rejects.toThrow(/The table error_tags is not equal on both sides: .* Nothing was switched/);
    expect(await whyNotServed(move.fixture.dataDir)).toMatch(isMoving);
    expect(await whyNotServed(move.fixture.dataDir, move.fixture.url)).toMatch(isMoving);
    const other = await emptyDatabase();
    await expect(moveAll({ ...places, url: other.url })).rejects.toThrow(isMoving);
    await other.remove();

    expect(await abandon(places)).toBe(false);
    expect(await queryPostgres(move.fixture.url, 'SELECT * FROM users')).toEqual([]);
    await expect(abandon(places)).rejects.toThrow(/No move from .* has begun/);
    expect(await whyNotServed(move.fixture.dataDir)).toBe('it started');
  });

  it('does not switch when a row is missing', async () => {
    const short = withTarget((target) => ({
      ...target,
      insert: async (table, rows) => target.insert(table, table.name === 'ingest_counts' ? [] : rows),
    }));
    await expect(short).rejects.toThrow(/ingest_counts is not equal on both sides: .* has 1 rows .* has 0/);
    await abandon(places);
  });

  it('is stopped between two pages, and goes on', async () => {
    const controller = new AbortController();
    const stopped = withSides(places, async (source, target) =>
      moveDatabase({
        source,
        target,
        signal: controller.signal,
        report: ({ step }) => {
          if (step === 'copying') controller.abort(new Error('stopped here'));
        },
      }),
    );
    await expect(stopped).rejects.toThrow('stopped here');
    expect(await whyNotServed(move.fixture.dataDir)).toMatch(isMoving);
    await moveAll(places);
    await expect(moveAll(places)).rejects.toThrow(/was moved to/);
    // The way back without the data that came since: the source is used again.
    expect(await abandon(places)).toBe(true);
    expect(await whyNotServed(move.fixture.dataDir)).toBe('it started');
    expect(await whyNotServed(move.fixture.dataDir, move.fixture.url)).toBe('it started');
    await expect(moveAll(places)).rejects.toThrow(/is not empty: it has rows in .*users/);
  });
});
