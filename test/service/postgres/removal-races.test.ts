import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepRemoved, keptForMs } from '../../../src-main/service/measurements/removed/keep-removed.ts';
import { continueRemovals, purgeRemoved } from '../../../src-main/service/measurements/removed/purge-removed.ts';
import { restoreRemoved } from '../../../src-main/service/measurements/removed/restore-removed.ts';
import type { RemovedRow } from '../../../src-main/service/measurements/removed/store/removed-rows.ts';
import { HttpProblem } from '../../../src-main/service/common/problem.ts';
import { readValue } from '../../../src-main/service/database/port/query.ts';
import { makeFiles, register } from '../measurements/registration/support.ts';
import type { TestService } from '../start.ts';
import { replicasOfTest, type Replicas } from './replicas-of-test.ts';

/** Two hundred are a few minutes. */
const rounds = Number(process.env['LONG_REMOVAL_TEST'] ?? 5);
const timeoutMs = 120_000 + rounds * 3000;
const { signal } = new AbortController();

let replicas: Replicas;
let first: TestService;
let second: TestService;

beforeAll(async () => {
  replicas = await replicasOfTest();
  first = await replicas.start();
  second = await replicas.start();
  await first.user('alice', true);
});
afterAll(async () => replicas.end());

async function removed(id: string, content: string): Promise<RemovedRow> {
  const folder = path.join(first.dir, id);
  // More rows than one slice has, so that each side is interrupted by the other one.
  const files = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`f${at}.txt`, `${content} ${at % 5}`]));
  await makeFiles(folder, files);
  const job = await register(first, { path: folder, id, copy: true });
  expect(job.state, job.message ?? '').toBe('done');
  const row = await keepRemoved(first.services, id, null);
  if (!row) throw new Error(`${id} is not kept`);
  return row;
}

/** Answers that the loser of a race may get. */
async function told(work: Promise<unknown>): Promise<'done' | 'lost'> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof HttpProblem && (error.status === 404 || error.status === 409)) return 'lost';
    throw error;
  }
}

const tables = ['measurement_files', 'measurement_blocks', 'measurement_pieces', 'grants', 'object_blocks'];
const counts = tables.map((table) =>
  readValue<[string, string], number>(`SELECT count(*) FROM ${table} WHERE measurement_id IN (?, ?)`),
);
const measurements = readValue<[string, string], number>('SELECT count(*) FROM measurements WHERE id IN (?, ?)');

/** @returns 'whole' or 'gone'; nothing in between passes. */
async function outcome(row: RemovedRow): Promise<'whole' | 'gone'> {
  const { database, measurements: store, files, paths, removed: kept } = second.services;
  expect(await kept.byNumber(row.id)).toBeNull();
  const rows = await Promise.all(
    [measurements, ...counts].map(async (count) => database.one(count, row.measurement_id, row.kept_id)),
  );
  const found = await store.byId(row.measurement_id);
  if (found === null) {
    expect(rows).toEqual([0, 0, 0, 0, 0, 0]);
    return 'gone';
  }
  expect(found).toMatchObject({ state: 'available', file_count: 250, problem_count: 0 });
  expect(rows.slice(0, 2)).toEqual([1, 250]);
  for (const file of await files.from(row.measurement_id, 0, 1000)) {
    const bytes = await readFile(path.join(paths.library, file.location));
    expect(createHash('sha256').update(bytes).digest().equals(file.sha256), file.path).toBe(true);
  }
  return 'whole';
}

/** Both replicas continue until nothing is left to continue, as their schedules do. */
async function settled(now: number): Promise<void> {
  await Promise.all([first, second].map(async ({ services }) => continueRemovals(services, now, signal)));
}

async function objects(): Promise<number> {
  const entries = await readdir(first.services.paths.library, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

test(
  'what one replica restores while the other purges is whole or gone whole',
  async () => {
    const seen = { whole: 0, gone: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const row = await removed(`race-${round}`, `round ${round}`);
      const later = Date.now() + keptForMs + 1;
      const [restored] = await Promise.all([
        told(pause(round % 3).then(async () => restoreRemoved(first.services, row))),
        told(pause((round + 1) % 2).then(async () => purgeRemoved(second.services, row))),
        continueRemovals(second.services, later, signal),
      ]);
      await settled(Date.now());
      const end = await outcome(row);
      seen[end] += 1;
      expect(end, `round ${round}`).toBe(restored === 'done' ? 'whole' : 'gone');
    }
    expect(seen.whole + seen.gone).toBe(rounds);
  },
  timeoutMs,
);

test(
  'two replicas that purge and settle at once leave nothing, and nothing of another measurement is taken',
  async () => {
    const before = await objects();
    for (let round = 0; round < rounds; round += 1) {
      // The second measurement has the first one's bytes, and keeps the files in the library.
      const gone = await removed(`gone-${round}`, `both ${round}`);
      const stays = await removed(`stays-${round}`, `both ${round}`);
      await Promise.all([
        told(purgeRemoved(first.services, gone)),
        told(purgeRemoved(second.services, gone)),
        told(restoreRemoved(second.services, stays)),
        told(restoreRemoved(first.services, stays)),
      ]);
      await settled(Date.now());
      expect(await outcome(gone), `round ${round}`).toBe('gone');
      expect(await outcome(stays), `round ${round}`).toBe('whole');
      const again = await keepRemoved(first.services, stays.measurement_id, null);
      if (!again) throw new Error('it is not kept again');
      const later = Date.now() + keptForMs + 1;
      await Promise.all([settled(later), settled(later)]);
      expect(await outcome(again), `round ${round}`).toBe('gone');
    }
    expect(await objects()).toBe(before);
  },
  timeoutMs,
);

async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}
