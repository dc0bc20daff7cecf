import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Job } from '../../../src-main/service/contract/jobs.ts';
import { asWindow } from '../as-window.ts';
import { startIngestWorld, type IngestWorld } from '../errors/ingest-world.ts';
import { sentEvent } from '../errors/sent-event.ts';
import { addMeasurement } from '../fixture-measurement.ts';
import { jobIn, makeFiles } from '../measurements/registration/support.ts';
import type { TestService } from '../start.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const root = path.resolve(import.meta.dirname, '../../..');
const holder = `
  const Database = require('better-sqlite3');
  const database = new Database(process.argv[1]);
  database.exec('BEGIN IMMEDIATE');
  console.log('held');
  process.stdin.once('data', () => { database.exec('ROLLBACK'); process.exit(0); });
`;

let world: IngestWorld;
let service: TestService;
let token: string;
let alice: number;
let holding: ChildProcess | null = null;

beforeEach(async () => {
  world = await startIngestWorld();
  service = world.service;
  alice = await service.user('alice', true);
  token = await service.token(alice, ['api']);
});
afterEach(async () => {
  await release();
  await world.end();
});

/** Begins a write transaction as another program, and leaves it open. */
async function hold(): Promise<void> {
  const file = path.join(service.services.config.dataDir, 'benchport.db');
  const child = spawn(process.execPath, ['-e', holder, file], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  holding = child;
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', () => reject(new Error('the lock was not taken')));
  });
}

async function release(): Promise<void> {
  const child = holding;
  holding = null;
  if (!child) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin?.write('x');
  await ended;
}

const get = async (url: string): Promise<Response> =>
  fetch(`${service.url}${url}`, { headers: { authorization: `Bearer ${token}` } });
const create = async (name: string): Promise<Response> =>
  fetch(`${service.url}/api/v4/projects`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name, path: name }),
  });

describe('M5: while another program holds the write lock', () => {
  test('M5: reading requests are answered while writes wait, and the writes succeed when the lock ends', async () => {
    await hold();
    let written = 0;
    const writes = Array.from({ length: 30 }, async (_, index) => {
      const answer = await create(`project-${index}`);
      written += 1;
      return answer.status;
    });
    const event = sentEvent();
    const sent = world.send('store', JSON.stringify(event));
    for (let round = 0; round < 20; round += 1) {
      expect((await get('/-/health')).status).toBe(200);
      expect((await get('/api/v4/projects')).status).toBe(200);
      expect((await get('/api/v4/user')).status).toBe(200);
    }
    expect(written).toBe(0);
    await release();
    expect(await Promise.all(writes)).toEqual(writes.map(() => 201));
    expect((await sent).status).toBe(200);
    expect(world.event(event.event_id)).not.toBeNull();
  });

  test('M5: a write that waits too long is answered with 503 and Retry-After, an event with 429, and both succeed later', async () => {
    await hold();
    const event = sentEvent();
    const [refused, notTaken] = await Promise.all([create('late'), world.send('store', JSON.stringify(event))]);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ type: 'urn:benchport:problem:data-locked' });
    expect(notTaken.status).toBe(429);
    expect(Number(notTaken.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(world.event(event.event_id)).toBeNull();
    expect(await (await get('/-/readiness')).json()).toMatchObject({ database: expect.stringContaining('locked') });
    await release();
    expect((await create('late')).status).toBe(201);
    expect((await world.send('store', JSON.stringify(event))).status).toBe(200);
  });

  test('M5: a registration and the history of downloads outlast a lock that is held longer than any request waits', async () => {
    await addMeasurement(service, alice, 'held', [{ path: 'a.txt', bytes: 'hello' }]);
    const folder = path.join(service.dir, 'bench');
    await makeFiles(
      folder,
      Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`${index}.txt`, `file ${index}`])),
    );
    const { body } = await asWindow(service, 'POST', '/api/v4/local/registrations', { path: folder, id: 'new' });
    await hold();
    expect(await (await get('/measurements/held/files/0')).text()).toBe('hello');
    await new Promise((resolve) => setTimeout(resolve, 6000));
    expect(await (await get('/api/v4/jobs')).text()).toContain('"state":"running"');
    await release();
    expect((await jobIn(service, (body as Job).id, 'done')).state).toBe('done');
    await expect
      .poll(async () => (await service.services.transfers.ofMeasurement('held', 10, 0)).total.count, {
        timeout: 10_000,
      })
      .toBe(1);
  });
});
