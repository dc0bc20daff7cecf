import type Database from 'better-sqlite3';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { retain } from '../../../../src-main/service/errors/retention/retention.ts';
import { eventRowBytes } from '../../../../src-main/service/errors/store/stored-event.ts';
import { startIngestWorld } from '../ingest-world.ts';
import { startViewWorld } from '../view-world.ts';
import { openBeside } from '../../fixture-measurement.ts';
import { useFreshWorld } from '../../use-service.ts';

const MiB = 1024 * 1024;
const plenty = 2 ** 50;

const world = useFreshWorld(startViewWorld);
let database: Database.Database;
beforeEach(() => void (database = openBeside(world)));
afterEach(() => void database.close());

const pass = async (free = plenty) =>
  retain(
    { ...world.services, log: pino({ level: 'silent' }), freeBytes: async () => free, stopped: () => false },
    Date.now(),
  );
const number = (sql: string): number => database.prepare<[], number>(sql).pluck().get() ?? 0;
/** Bytes of a project's rows, computed without the column under test. */
const taken = (projectId: number): number =>
  number(
    `SELECT ifnull(sum(length(payload) + ${eventRowBytes}), 0) FROM error_events WHERE project_id = ${projectId}`,
  ) +
  number(
    `SELECT ifnull(sum(length(payload)), 0) FROM error_samples JOIN error_groups ON error_groups.id = group_id WHERE project_id = ${projectId}`,
  );
const noted = (projectId: number): number =>
  number(`SELECT ifnull(sum(stored_bytes), 0) FROM error_groups WHERE project_id = ${projectId}`);
/** An event of about this many incompressible bytes, in a group of its own. */
const large = async (bytes: number, name: string, projectId = world.projectId) =>
  world.event({
    projectId,
    type: name,
    more: {
      extra: Object.fromEntries(
        Array.from({ length: Math.ceil(bytes / 9000) }, (_none, index) => [
          `k${index}`,
          randomBytes(6750).toString('base64'),
        ]),
      ),
    },
  });

test("M1: the bytes of a group's events are recorded with each event, and after each removal", async () => {
  for (let index = 0; index < 60; index += 1) await world.event({ value: `value ${index}`, user: `u${index}` });
  await large(300_000, 'Large');
  expect(noted(world.projectId)).toBe(taken(world.projectId));
  await world.settings({ most_events: 20 });
  await pass();
  expect(number('SELECT count(*) FROM error_events')).toBeLessThanOrEqual(21);
  expect(noted(world.projectId)).toBe(taken(world.projectId));
});

test('M1: groups older than the column are counted once', async () => {
  for (let index = 0; index < 20; index += 1) await world.event({ type: `T${index % 3}`, value: `value ${index}` });
  const before = noted(world.projectId);
  database.exec('UPDATE error_groups SET stored_bytes = NULL');
  await pass();
  expect(noted(world.projectId)).toBe(before);
});

test('M1: a project at its byte limit loses large rare errors, and keeps small ones', async () => {
  const small: string[] = [];
  for (let index = 0; index < 5; index += 1) small.push(await world.event({ type: `Small${index}` }));
  for (let index = 0; index < 40; index += 1) await large(200_000, `Flood${index}`);
  expect(taken(world.projectId)).toBeGreaterThan(4 * MiB);
  await world.settings({ max_bytes: 2 * MiB });
  await pass();
  expect(taken(world.projectId)).toBeLessThanOrEqual(2 * MiB);
  expect(taken(world.projectId)).toBeGreaterThan(MiB);
  expect(noted(world.projectId)).toBe(taken(world.projectId));
  expect((await world.settings({})).body).toMatchObject({ max_bytes: 2 * MiB, stored_bytes: taken(world.projectId) });
  for (const id of small) expect(number(`SELECT count(*) FROM errors WHERE id = ${id}`)).toBe(1);
  // The newest of the large ones remain.
  expect(number("SELECT count(*) FROM errors WHERE type = 'Flood39'")).toBe(1);
});

test('M1: a project at its byte limit: a frequent error loses its oldest events', async () => {
  const rare = await world.event({ type: 'Rare' });
  let id = '';
  for (let index = 0; index < 30; index += 1) id = await large(100_000, 'Often');
  await world.settings({ max_bytes: MiB });
  await pass();
  expect(taken(world.projectId)).toBeLessThanOrEqual(MiB);
  expect(number(`SELECT count(*) FROM errors WHERE id IN (${rare}, ${id})`)).toBe(2);
  expect(number(`SELECT events FROM errors WHERE id = ${id}`)).toBe(30);
});

test('M1: a full disk removes events of the largest project, and none of the others', async () => {
  const other = (await world.services.projects.create('lab/other', 'Other'))?.id ?? 0;
  for (let index = 0; index < 30; index += 1) await large(100_000, `Mine${index}`);
  for (let index = 0; index < 10; index += 1) await large(100_000, `Theirs${index}`, other);
  const [mine, theirs] = [taken(world.projectId), taken(other)];
  await pass(0);
  expect(taken(other)).toBe(theirs);
  expect(taken(world.projectId)).toBeLessThan(mine);
  // A tenth of everything at a time, because something else may have filled the disk.
  expect(taken(world.projectId)).toBeGreaterThan(mine - 0.2 * (mine + theirs));
});

test('M1: a client key over its share of bytes is refused with 429 and Retry-After for a while; another key is not', async () => {
  const ingest = await startIngestWorld({ ingestLimits: { keyBytesBurst: 100_000, keyBytesPerSecond: 10 } });
  try {
    const event = JSON.stringify({ message: 'x', extra: { text: 'y'.repeat(60_000) } });
    const small = JSON.stringify({ message: 'small' });
    expect((await ingest.send('store', event)).status).toBe(200);
    expect((await ingest.send('store', event)).status).toBe(200);
    const refused = await ingest.send('store', small);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    const key = await ingest.service.services.clientKeys.create(ingest.projectId, `bpk_${'b'.repeat(32)}`);
    expect((await ingest.send('store', small, {}, `?sentry_key=${key.public_key}`)).status).toBe(200);
  } finally {
    await ingest.end();
  }
});
