import { readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Fetch } from '../../src-main/service/contract/fetches.ts';
import { startFaultServer, type FaultServer } from '../faults/fault-server.ts';
import { digestsBelow, filesOf, partialEnding } from '../faults/folder-contents.ts';
import { generateMeasurement, smallFiles } from '../faults/measurement.ts';
import { startServiceProcess, type ServiceProcess } from './service-process.ts';

// Tests leftovers of members that the real service was unpacking in a separate process.

const measurement = generateMeasurement('run-19', 47, [['raw/big.bin', 3_000_007], ...smallFiles(2000, 9000)]);
let dir: string;
let target: string;
let remote: FaultServer;
let service: ServiceProcess | null = null;

beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-unpacking-'));
  target = path.join(dir, 'fetched', measurement.id);
  await mkdir(path.join(dir, 'fetched'));
  await mkdir(path.join(dir, 'data'));
  remote = await startFaultServer(measurement);
});
afterEach(async () => {
  await service?.kill();
  await remote.stop().catch(() => {});
  await rm(dir, { recursive: true, force: true });
});

async function begin(): Promise<ServiceProcess> {
  service = await startServiceProcess({
    dataDir: path.join(dir, 'data'),
    socketPath: path.join(dir, 'run', 'window.sock'),
    secret: 'a-secret-of-this-test-launch',
    port: 0,
  }).ready;
  if (!service) throw new Error('the service ended before it was ready');
  return service;
}

async function must<T>(method: string, url: string, body?: unknown): Promise<T> {
  const answer = await service?.ask(method, url, body);
  if (!answer || answer.status >= 300) throw new Error(`${method} ${url}: ${JSON.stringify(answer)}`);
  return answer.body as T;
}

const unfinished = (): string[] => {
  try {
    return readdirSync(target, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith(partialEnding) && !name.startsWith(`${measurement.id}.zip`));
  } catch {
    return [];
  }
};
const left = (): string[] => [...digestsBelow(target).keys()].filter((name) => name.endsWith(partialEnding)).toSorted();
const state = async (id: number): Promise<Fetch['state']> =>
  (await must<Fetch>('GET', `/api/v4/local/fetches/${id}`)).state;
const act = (action: string, id: number): Promise<unknown> =>
  must('POST', '/api/v4/local/fetches/actions', { action, ids: [id] });

/** @returns the fetch while some of its members are incomplete. */
async function unpacking(): Promise<number> {
  await begin();
  await must('POST', '/api/v4/setup', { username: 'alice', name: 'Alice' });
  const server = await must<{ id: number }>('POST', '/api/v4/local/servers', { base_url: remote.url, name: 'Lab' });
  const order = {
    server_id: server.id,
    measurement_id: measurement.id,
    what: 'archive',
    unpack: true,
    target: path.dirname(target),
  };
  const { id } = await must<{ id: number }>('POST', '/api/v4/local/fetches', order);
  while (unfinished().length < 4) await wait(1);
  return id;
}

function checkFinished(): void {
  const right = filesOf(measurement);
  for (const [file, digest] of digestsBelow(
    target,
    (name) => !name.endsWith(partialEnding) && !name.startsWith('.benchport-fetch/'),
  ))
    expect(digest, file).toBe(right.get(file));
}

test("killed while it unpacks and cancelled before it continues: incomplete members are removed, the user's files stay", async () => {
  const id = await unpacking();
  await service?.kill();
  expect(unfinished().length).toBeGreaterThan(0);
  checkFinished();
  const mine = path.join(target, `mine.txt${partialEnding}`);
  writeFileSync(mine, 'of the user');
  // The fetch cannot continue, so a partly unpacked member stays as the kill has left it.
  await remote.stop();
  await begin();
  await act('cancel', id);
  await expect.poll(async () => state(id)).toBe('cancelled');
  await expect.poll(left).toEqual([path.basename(mine)]);
  expect(readdirSync(target)).not.toContain(`${measurement.id}.zip${partialEnding}`);
});

test('cancelled while it unpacks: no incomplete member stays', async () => {
  const id = await unpacking();
  await act('cancel', id);
  await expect.poll(async () => state(id), { timeout: 20_000 }).toBe('cancelled');
  await expect.poll(left).toEqual([]);
  checkFinished();
});

test('killed while it unpacks: it continues by itself, all bytes are right and nothing else stays', async () => {
  const id = await unpacking();
  await service?.kill();
  expect(unfinished().length).toBeGreaterThan(0);
  await begin();
  await expect.poll(async () => state(id), { timeout: 80_000, interval: 200 }).toBe('done');
  expect(digestsBelow(target)).toEqual(filesOf(measurement));
});
