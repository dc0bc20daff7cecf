import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unpackBackup } from '../../src-main/service/backup/unpack-backup.ts';
import type { Fetch } from '../../src-main/service/contract/fetches.ts';
import type { Job } from '../../src-main/service/contract/jobs.ts';
import { randomNumbers } from '../faults/child-fetch.ts';
import { answeredTooSeldom, nothingExpected, type Expected } from './expected.ts';
import { checkDatabase } from './database-invariants.ts';
import { checkAnswers, checkFiles, checkRestored, isRemovalUnderWay } from './invariants.ts';
import { startServiceProcess, type ServiceProcess } from './service-process.ts';
import { shrinkingDisk, type ShrinkingDisk } from './shrinking-disk.ts';
import { password, type Fixed, type World } from './world.ts';
import { answerEachKind, writers } from './writers.ts';

/** A few by default; BENCHPORT_KILLS=200 for all of them. */
const rounds = Number(process.env['BENCHPORT_KILLS'] ?? 3);
const seed = Number(process.env['BENCHPORT_KILL_SEED'] ?? Date.now() % 1_000_000);
/** Maximum time from the first response to the kill, in milliseconds. */
const maxRoundMs = 900;
/** In one round of three the disk is alternately full and empty, each for at most this time. */
const maxFullMs = 120;
let dir: string;
let dataDir: string;
let port: number;
let disk: ShrinkingDisk | null;

beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-kills-'));
  dataDir = path.join(dir, 'data');
  disk = shrinkingDisk(dataDir);
  for (const name of ['sources', 'backups', 'fetched']) mkdirSync(path.join(dir, name));
  // Fixed for all processes: fetches read from the service itself.
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  ({ port } = probe.address() as AddressInfo);
  await new Promise((resolve) => probe.close(resolve));
});
afterEach(async () => {
  disk?.unmount();
  await rm(dir, { recursive: true, force: true });
});

const begin = () =>
  startServiceProcess({
    dataDir,
    socketPath: path.join(dir, 'run', 'window.sock'),
    secret: 'a-secret-of-this-test-launch',
    port,
  });

async function started(): Promise<ServiceProcess> {
  const service = await begin().ready;
  if (!service) throw new Error('the service ended before it was ready');
  return service;
}

/** Data created once, before the first kill. */
async function setUp(service: ServiceProcess, expected: Expected): Promise<Fixed> {
  const must = async <T>(method: string, url: string, body?: unknown): Promise<T> => {
    const answer = await service.ask(method, url, body);
    if (answer === null || answer.status >= 300) throw new Error(`${method} ${url}: ${JSON.stringify(answer)}`);
    return answer.body as T;
  };
  await must('POST', '/api/v4/setup', { username: 'alice', name: 'Alice' });
  const bob = await must<{ id: number }>('POST', '/api/v4/users', { username: 'bob', name: 'Bob', password });
  expected.users.set(bob.id, { username: 'bob', blocked: 'no' });
  const keys: Record<number, string> = {};
  const projects: number[] = [];
  for (const name of ['lab', 'brief']) {
    const { id } = await must<{ id: number }>('POST', '/api/v4/projects', { path: name, name });
    await must('PUT', `/api/v4/projects/${id}/error_tracking/settings`, {
      active: true,
      integrated: true,
      ...(name === 'brief' ? { most_events: 100 } : {}),
    });
    keys[id] =
      (await must<{ public_key: string }[]>('GET', `/api/v4/projects/${id}/error_tracking/client_keys`))[0]
        ?.public_key ?? '';
    projects.push(id);
  }
  // Things that are changed repeatedly start with one confirmed member.
  await must('PUT', '/api/v4/local/ignore-list', { patterns: ['n0'] });
  expected.settings = ['n0'];
  const client = await must<{ client_id: string; client_secret: string }>('POST', '/api/v4/user/applications', {
    name: 'Notebook',
    redirect_uris: ['https://notebook.example/callback'],
    scopes: ['api'],
    confidential: true,
  });
  const { token: reader } = await must<{ token: string }>('POST', '/api/v4/user/personal_access_tokens', {
    name: 'reader',
    scopes: ['read_api'],
  });
  const server = await must<{ id: number }>('POST', '/api/v4/local/servers', {
    base_url: service.url,
    name: 'itself',
    token: reader,
  });
  const [project = 0, brief = 0] = projects;
  return {
    project,
    brief,
    keys,
    client: { id: client.client_id, secret: client.client_secret },
    server: server.id,
    reader,
  };
}

/**
 * Writes in every way until the service is killed. @param filled the disk that is full at times.
 */
async function writeUntilKilled(world: World, milliseconds: number, filled: ShrinkingDisk | null): Promise<void> {
  const state = { over: false };
  const loops = writers.flatMap(([writer, atOnce, rest]) =>
    Array.from({ length: atOnce }, async () => {
      while (!state.over && (await writer(world))) if (rest > 0) await wait(rest * world.random() * 2);
    }),
  );
  const filling = filled ? fillNowAndThen(filled, world, () => state.over) : null;
  await wait(milliseconds);
  state.over = true;
  await world.service.kill();
  await Promise.all([...loops, filling]);
  world.expected.madeRoom ||= world.service.madeRoom();
  await filled?.free();
}

async function fillNowAndThen(filled: ShrinkingDisk, { random }: World, over: () => boolean): Promise<void> {
  while (!over()) {
    await wait(random() * maxFullMs);
    await filled.fill();
    await wait(random() * maxFullMs);
    // Half of the kills hit a full disk.
    if (!over() || random() < 0.5) await filled.free();
  }
}

/** Waits until the service has completed its jobs. */
async function settled(service: ServiceProcess): Promise<void> {
  const active = async (): Promise<number> => {
    const jobs = (await service.ask('GET', '/api/v4/jobs?state=active'))?.body as readonly Job[];
    // Retried as its user would, rather than waiting for the automatic retry.
    for (const { id, state } of jobs)
      if (state === 'paused') await service.ask('POST', `/api/v4/jobs/${id}`, { action: 'resume' });
    const fetches = (await service.ask('GET', '/api/v4/local/fetches?state=active&limit=200'))?.body as {
      readonly fetches?: readonly Fetch[];
    };
    return (
      jobs.length + (fetches.fetches ?? []).filter(({ state }) => state === 'queued' || state === 'running').length
    );
  };
  await expect.poll(active, { timeout: 240_000, interval: 100 }).toBe(0);
  await expect.poll(async () => isRemovalUnderWay(dataDir), { timeout: 240_000, interval: 100 }).toBe(false);
}

test(
  `killed ${rounds} times at a random moment of every kind of write, at times on a full disk: confirmed writes exist, and none is half done`,
  async () => {
    const random = randomNumbers(seed);
    const expected = nothingExpected();
    let service = await started();
    const fixed = await setUp(service, expected);
    try {
      await answerEachKind({ service, expected, dir, random, fixed });
      for (let round = 0; round < rounds; round += 1) {
        await writeUntilKilled(
          { service, expected, dir, random, fixed },
          50 + random() * maxRoundMs,
          round % 3 === 1 ? disk : null,
        );
        // One in eight kills hits the start, which cleans up.
        while (random() < 0.125) {
          const starting = begin();
          await Promise.race([wait(random() * 600), starting.ready]);
          starting.process.kill('SIGKILL');
          await starting.ready;
        }
        service = await started();
        const available = checkDatabase(dataDir, expected, fixed);
        await checkAnswers({ service, expected, dir, random, fixed }, available);
      }
      await settled(service);
      checkDatabase(dataDir, expected, fixed);
      for (const [id, { removed }] of expected.measurements) {
        if (removed !== 'no') continue;
        const answer = await service.ask('GET', `/api/v4/measurements/${id}`);
        expect([id, answer?.status, (answer?.body as { state?: string } | undefined)?.state]).toEqual([
          id,
          200,
          'available',
        ]);
      }
      await service.stop();
      checkFiles(dataDir, dir);
      await checkBackups(expected, fixed);
      checkFetched(expected);
      if (rounds > 20) {
        console.log(summary(expected));
        // A writer that is always refused would prove nothing.
        expect(answeredTooSeldom(expected, rounds / 20)).toEqual([]);
      }
    } catch (error) {
      await service.kill();
      throw new Error(`BENCHPORT_KILLS=${rounds} BENCHPORT_KILL_SEED=${seed}`, { cause: error });
    }
  },
  // A busy machine takes many times as long, which is not under test.
  60_000 + rounds * 60_000,
);

/**
 * Each backup with a final name is complete, and contains everything confirmed before its request.
 */
async function checkBackups(expected: Expected, fixed: Fixed): Promise<void> {
  for (const name of readdirSync(path.join(dir, 'backups')).slice(0, 20)) {
    const wish = {
      file: path.join(dir, 'backups', name),
      target: path.join(dir, 'unpacked'),
      report: () => {},
      signal: new AbortController().signal,
    };
    await unpackBackup(wish);
    checkRestored(wish.target, expected, expected.backups.get(wish.file) ?? { events: 0, tokens: 0 }, fixed);
    await rm(wish.target, { recursive: true });
  }
}

/** A file under its final name matches the registration. */
function checkFetched(expected: Expected): void {
  const files = readdirSync(path.join(dir, 'fetched'), { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name === 'data.txt',
  );
  for (const entry of files) {
    const content = readFileSync(path.join(entry.parentPath, entry.name), 'utf8');
    expect(expected.measurements.get(content.split(' ', 1)[0] ?? '')?.content === content).toBe(true);
  }
}

function summary({ answers, madeRoom }: Expected): string {
  return `killed ${rounds} times${madeRoom ? ', events removed to make room' : ''}; answered: ${[...answers].map((one) => one.join(' ')).join(', ')}`;
}
