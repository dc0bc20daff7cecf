import type Database from 'better-sqlite3';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { retain } from '../../../../src-main/service/errors/retention/retention.ts';
import { retentionLevel } from '../../../../src-main/service/errors/retention/retention-level.ts';
import { removeHiddenProjects } from '../../../../src-main/service/projects/remove-hidden-projects.ts';
import { startViewWorld } from '../view-world.ts';
import { openBeside } from '../../fixture-measurement.ts';
import { useFreshWorld } from '../../use-service.ts';

const day = 24 * 3600_000;
const plenty = 2 ** 50;
const now = Date.now();

const world = useFreshWorld(startViewWorld);
let database: Database.Database;
beforeEach(() => void (database = openBeside(world)));
afterEach(() => void database.close());

interface Logged {
  readonly level: number;
  readonly msg: string;
}

async function pass(free = plenty, stopped = () => false): Promise<readonly Logged[]> {
  const lines: Logged[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as Logged) });
  await retain({ ...world.services, log, freeBytes: async () => free, stopped }, now);
  return lines;
}

const count = (table: string, where = '1') =>
  database.prepare<[], number>(`SELECT count(*) FROM ${table} WHERE ${where}`).pluck().get();
const ages = (errorId: string) =>
  database
    .prepare<[string], number>(
      'SELECT received_at FROM error_events JOIN error_groups ON error_groups.id = group_id WHERE error_id = ? ORDER BY error_events.id',
    )
    .pluck()
    .all(errorId)
    .map((at) => Math.round((now - at) / day));
const error = (id: string) =>
  database.prepare<[string], Record<string, unknown>>('SELECT * FROM errors WHERE id = ?').get(id);

describe('retention', () => {
  test('90 days after receipt events are removed; the first one, the counters and first seen stay', async () => {
    let id = '';
    for (const age of [100, 95, 91, 89, 1])
      id = await world.event({ at: now - age * day, user: `user-${age}`, tags: { bench: String(age) } });
    await pass();
    expect(ages(id)).toEqual([100, 89, 1]);
    expect(error(id)).toMatchObject({ events: 5, users: 5, first_seen: now - 100 * day, last_seen: now - day });
    expect(count('error_tags', "tag = 'bench'")).toBe(5);
    expect(await pass()).toEqual([]);
    expect(ages(id)).toEqual([100, 89, 1]);
  });

  test('an error that was last seen 91 days ago is removed completely, whatever its status', async () => {
    const ids = [];
    for (const type of ['A', 'B', 'C']) {
      await world.event({ type, at: now - 120 * day, user: 'x' });
      ids.push(await world.event({ type, at: now - 91 * day, user: 'y', tags: { bench: '7' } }));
    }
    const kept = await world.event({ type: 'Kept', at: now - 89 * day });
    await world.as.developer('PUT', world.errors, { ids: [ids[0]], status: 'resolved' });
    await world.as.developer('PUT', world.errors, { ids: [ids[1]], status: 'ignored' });
    const changed: string[] = [];
    world.services.events.subscribe(
      (_name, event) => 'topic' in event && event.topic === 'errors' && changed.push(event.id ?? ''),
    );
    await pass();
    expect(database.prepare<[], number>('SELECT id FROM errors').pluck().all().map(String)).toEqual([kept]);
    for (const table of ['error_groups', 'error_events', 'error_hours']) expect(count(table), table).toBe(1);
    expect(count('error_users')).toBe(0);
    expect(changed).toContain(String(world.projectId));
    // A recurrence becomes a new error.
    const again = await world.event({ type: 'A' });
    expect(error(again)).toMatchObject({ events: 1, status: 'unresolved' });
  });

  test('fewer days, when the project says so; another project keeps its own setting', async () => {
    const other = await world.services.projects.create('lab/other', 'Other');
    let [mine, theirs] = ['', ''];
    for (const age of [50, 40, 8, 6]) {
      mine = await world.event({ at: now - age * day });
      theirs = await world.event({ at: now - age * day, projectId: other?.id ?? 0 });
    }
    await world.settings({ retention_days: 7 });
    await pass();
    expect(ages(mine)).toEqual([50, 6]);
    expect(ages(theirs)).toEqual([50, 40, 8, 6]);
  });

  test('a maximum number of events: the frequent error loses its oldest, the rare one nothing', async () => {
    const rare = await world.event({ type: 'Rare', at: now - 80 * day });
    await world.event({ type: 'Rare', at: now - 70 * day });
    let frequent = '';
    for (let age = 60; age > 0; age -= 1) frequent = await world.event({ type: 'Frequent', at: now - age * day });
    await world.settings({ most_events: 12 });
    await pass();
    expect(ages(rare)).toEqual([80, 70]);
    expect(ages(frequent)).toEqual([60, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(error(frequent)).toMatchObject({ events: 60, first_seen: now - 60 * day });
    await world.settings({ most_events: 1 });
    await pass();
    expect([ages(rare), ages(frequent)]).toEqual([[80], [60]]);
  });

  test('a full disk: a tenth is removed repeatedly, and the log says so', async () => {
    let id = '';
    for (let age = 40; age > 0; age -= 1) id = await world.event({ at: now - age * day });
    expect(await pass(2 * 1024 ** 3)).toEqual([]);
    expect(ages(id).length).toBe(40);
    expect(await pass(1000)).toMatchObject([{ level: 40, msg: expect.stringContaining('nearly full') as string }]);
    const left = ages(id).length;
    expect(left).toBeGreaterThanOrEqual(33);
    expect(left).toBeLessThanOrEqual(36);
    // The first event and the newest ones stay.
    expect(ages(id)).toEqual([40, ...Array.from({ length: left - 1 }, (_, i) => left - 1 - i)]);
    await pass(0);
    expect(ages(id).length).toBeLessThan(left);
  });

  test('counters of releases and ingest, and bars, are removed after 90 days', async () => {
    const { services } = world;
    for (const age of [100, 1]) {
      const today = Math.floor((now - age * day) / day);
      const common = { projectId: world.projectId, release: `r${age}`, environment: 'lab', day: today };
      await services.releaseSessions.update([
        {
          ...common,
          id: `session-${age}`,
          user: 'u',
          sessionId: Buffer.from(`session-${age}`),
          sequence: 1,
          status: 'ok',
          errored: false,
          userHash: Buffer.from('u'),
          receivedAt: now - age * day,
        },
      ]);
      await world.event({ at: now - age * day });
    }
    for (const table of ['release_days', 'release_sessions', 'release_users', 'error_hours', 'error_minutes'])
      expect(count(table), table).toBe(2);
    expect(count('ingest_counts', "outcome = 'accepted'")).toBe(2);
    await pass();
    for (const table of ['release_days', 'release_sessions', 'release_users', 'error_hours', 'error_minutes'])
      expect(count(table), table).toBe(1);
    expect(count('ingest_counts', "outcome = 'accepted'")).toBe(1);
  });

  test('removing thousands of events lets new ones in meanwhile, and can be stopped', async () => {
    const id = await world.event({ at: now - 100 * day });
    await world.event({ at: now - day });
    const group = database.prepare<[string], number>('SELECT id FROM error_groups WHERE error_id = ?').pluck().get(id);
    database
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
         INSERT INTO error_events (project_id, group_id, event_id, received_at, occurred_at, level, payload)
         SELECT ?, ?, randomblob(16), ?, ?, 'error', randomblob(4000) FROM n`,
      )
      .run(world.projectId, group, now - 95 * day, now - 95 * day);
    // The first event has the lowest number; later ones have higher numbers and times.
    database.prepare('UPDATE error_events SET id = id + 100000 WHERE received_at > ?').run(now - 2 * day);

    let steps = 0;
    await pass(plenty, () => (steps += 1) > 20);
    const left = count('error_events') ?? 0;
    expect(left).toBeGreaterThan(1500);
    expect(left).toBeLessThan(3002);

    const end = new AbortController();
    const finished = pass().then(() => end.abort());
    let taken = 0;
    while (!end.signal.aborted) {
      await world.event({ type: 'Meanwhile' });
      taken += 1;
    }
    await finished;
    // A removal in one piece would let in one or two.
    expect(taken).toBeGreaterThan(30);
    expect(ages(id)).toEqual([100, 1]);
  });

  test('a removed project leaves no rows', async () => {
    await world.event({ user: 'x', tags: { bench: '7' } });
    const other = await world.services.projects.create('lab/other', 'Other');
    const kept = await world.event({ projectId: other?.id ?? 0 });
    database
      .prepare("INSERT INTO source_maps (project_id, name, uploaded_at, size, content) VALUES (?, 'a', 1, 1, x'00')")
      .run(world.projectId);
    expect((await world.as.owner('DELETE', `/api/v4/projects/${world.projectId}`)).status).toBe(204);
    expect(count('errors')).toBe(2);
    await removeHiddenProjects({ ...world.services, stopped: () => false });
    expect(count('projects')).toBe(1);
    expect(database.prepare<[], number>('SELECT id FROM errors').pluck().all().map(String)).toEqual([kept]);
    for (const table of ['source_maps', 'client_keys', 'project_members', 'error_tracking_settings', 'error_users'])
      expect(count(table), table).toBe(0);
    expect(count('ingest_counts', `project_id <> ${other?.id}`)).toBe(0);
  });
});

test('the level is the largest that fits, and at least one', () => {
  expect(retentionLevel([2, 60], 12)).toBe(10);
  expect(retentionLevel([5, 5, 5], 15)).toBe(5);
  expect(retentionLevel([5, 5, 5], 14)).toBe(4);
  expect(retentionLevel([5, 5, 5], 0)).toBe(1);
  expect(retentionLevel([], 10)).toBe(1);
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { minLength: 1 }), fc.nat(20_000), (counts, limit) => {
      const kept = (level: number) => counts.reduce((sum, one) => sum + Math.min(one, level), 0);
      const level = retentionLevel(counts, limit);
      expect(level === 1 || kept(level) <= limit).toBe(true);
      expect(level >= Math.max(1, ...counts) || kept(level + 1) > limit).toBe(true);
    }),
  );
});
