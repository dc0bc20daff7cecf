import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { JobRow, NewJob } from '../../../src-main/service/jobs/jobs-store.ts';
import { createTestDatabase, type TestDatabase } from '../postgres/database.ts';
import { openRunner, type RunnerOfTest } from './runner-of-test.ts';

const soon = { timeout: 30_000, interval: 50 };
let made: TestDatabase;
let client: pg.Client;
let open: RunnerOfTest[];
beforeEach(async () => {
  made = await createTestDatabase();
  client = new pg.Client({ connectionString: made.url });
  await client.connect();
  open = [];
});
afterEach(async () => {
  await Promise.all(open.map(async (one) => one.close()));
  await client.end();
  await made.remove();
});

async function runner(name: string): Promise<RunnerOfTest> {
  const opened = await openRunner(made.url, name);
  open.push(opened);
  return opened;
}

/** A runner in a process of its own. */
async function child(): Promise<{ kill(): Promise<void> }> {
  const started = spawn(process.execPath, [path.join(import.meta.dirname, 'runner-child.ts'), made.url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(started.stdout, 'data');
  return {
    kill: async () => {
      const ended = once(started, 'exit');
      started.kill('SIGKILL');
      await ended;
    },
  };
}

const job = (parameters: object, kind: NewJob['kind'] = 'verify'): NewJob => ({
  kind,
  measurementId: 'run',
  userId: null,
  parameters: { ...parameters },
});
const forever = job({});
const stateOf = async ({ jobs }: RunnerOfTest, id: number): Promise<JobRow['state'] | undefined> =>
  (await jobs.byId(id))?.state;

test('fifty jobs are each done once by three replicas, one of which is killed', async () => {
  await client.query(`CREATE TABLE ends (id bigint, result text);
    CREATE FUNCTION note_end() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO ends VALUES (NEW.id, NEW.result); RETURN NEW; END';
    CREATE TRIGGER ended AFTER UPDATE OF state ON jobs FOR EACH ROW WHEN (NEW.state = 'done' AND OLD.state <> 'done') EXECUTE FUNCTION note_end()`);
  const doomed = await child();
  const [one] = await Promise.all([runner('one'), runner('two')]);
  for (let at = 0; at < 50; at += 1) await one.runner.enqueue(job({ ms: 150 }));
  const ends = async () =>
    (await client.query<{ id: string; result: string }>('SELECT id, result FROM ends ORDER BY id')).rows;
  await vi.waitFor(async () => expect(new Set((await ends()).map(({ result }) => result)).size).toBe(3), soon);
  await vi.waitFor(
    async () => expect((await client.query("SELECT 1 FROM jobs WHERE state = 'running'")).rowCount).toBe(3),
    soon,
  );
  await doomed.kill();
  await vi.waitFor(async () => expect(await one.runner.idle()).toBe(true), soon);
  const rows = await ends();
  expect(new Set(rows.map(({ id }) => id)).size).toBe(50);
  expect(rows).toHaveLength(50);
});

test('work of a dead replica goes on at another one, or fails and leaves nothing behind', async () => {
  const doomed = await child();
  const one = await runner('one');
  // It runs one job of each kind, so that the next ones are the other's.
  const mine = [await one.runner.enqueue(forever), await one.runner.enqueue(job({}, 'export'))];
  await vi.waitFor(async () => {
    for (const { id } of mine) expect(await stateOf(one, id)).toBe('running');
  }, soon);
  const theirs = [await one.jobs.create(forever), await one.jobs.create(job({}, 'export'))];
  const all = [...mine, ...theirs];
  await vi.waitFor(async () => {
    for (const { id } of all) expect(await stateOf(one, id)).toBe('running');
  }, soon);
  const lost = (await Promise.all(all.map(async ({ id }) => one.jobs.byId(id)))).filter(
    (row) => row?.replica_id !== one.replicaId,
  );
  expect(lost).toHaveLength(2);
  await doomed.kill();
  const [resumed, failed] = [lost.find((row) => row?.kind === 'verify'), lost.find((row) => row?.kind === 'export')];
  await vi.waitFor(async () => {
    expect(await stateOf(one, failed?.id ?? 0)).toBe('failed');
    expect(await stateOf(one, resumed?.id ?? 0)).toBe('queued');
  }, soon);
  expect(one.discarded).toEqual([failed?.id]);
  for (const row of all) if (row.kind === 'verify' && row.id !== resumed?.id) await one.runner.act(row, 'cancel');
  await vi.waitFor(async () => expect(await stateOf(one, resumed?.id ?? 0)).toBe('running'), soon);
});

test('a job is paused, resumed and cancelled from another replica', async () => {
  const [one, two] = [await runner('one'), await runner('two')];
  const row = await one.runner.enqueue(forever);
  const now = async () => (await one.jobs.byId(row.id)) as JobRow;
  await vi.waitFor(async () => expect((await now()).state).toBe('running'), soon);
  const other = () => now().then(({ replica_id: id }) => (id === one.replicaId ? two : one));
  await (await other()).runner.act(await now(), 'pause');
  expect((await now()).state).toBe('paused');
  // The work has stopped when the replica has let go of it.
  await vi.waitFor(async () => expect((await now()).replica_id).toBeNull(), soon);
  await two.runner.act(await now(), 'resume');
  await vi.waitFor(async () => expect((await now()).state).toBe('running'), soon);
  const owner = (await now()).replica_id === one.replicaId ? one : two;
  await (await other()).runner.act(await now(), 'cancel');
  await vi.waitFor(async () => expect(await now()).toMatchObject({ state: 'cancelled', replica_id: null }), soon);
  expect(owner.discarded).toEqual([row.id]);
  expect([...one.discarded, ...two.discarded]).toEqual([row.id]);
});

test('work that cannot resume is not paused from another replica', async () => {
  const [one, two] = [await runner('one'), await runner('two')];
  const row = await one.runner.enqueue(job({}, 'export'));
  const now = async () => (await one.jobs.byId(row.id)) as JobRow;
  await vi.waitFor(async () => expect((await now()).state).toBe('running'), soon);
  const other = (await now()).replica_id === one.replicaId ? two : one;
  await expect(other.runner.act(await now(), 'pause')).rejects.toMatchObject({ status: 409 });
  expect((await now()).state).toBe('running');
});

test('a replica that was taken for dead lets go of its job without a trace', async () => {
  const one = await runner('one');
  const row = await one.runner.enqueue(forever);
  const now = async () => (await one.jobs.byId(row.id)) as JobRow;
  await vi.waitFor(async () => expect((await now()).state).toBe('running'), soon);
  const two = await runner('two');
  await client.query('DELETE FROM replicas WHERE id = $1', [one.replicaId]);
  await vi.waitFor(async () => {
    const { state, replica_id: id } = await now();
    expect([state, id !== null && id !== one.replicaId]).toEqual(['running', true]);
  }, soon);
  expect([...one.discarded, ...two.discarded]).toEqual([]);
});

test('a replica whose job is another’s by now writes neither progress nor its end', async () => {
  const one = await runner('one');
  const { id } = await one.jobs.create(job({ lane: 'none' }));
  await vi.waitFor(async () => expect(await stateOf(one, id)).toBe('running'), soon);
  const progress = { filesDone: 7, filesTotal: 7, bytesDone: 7, bytesTotal: 7, message: 'late' };
  const dead = one.replicaId + 1000;
  expect(await one.jobs.progress(id, progress, dead)).toBe(false);
  expect(await one.jobs.end(id, { event: 'succeed', message: 'late', result: null }, dead)).toBe(false);
  await one.jobs.remember(id, { lane: 'late' }, dead);
  expect(await one.jobs.byId(id)).toMatchObject({
    state: 'running',
    message: null,
    parameters: expect.stringContaining('none') as string,
  });
});
