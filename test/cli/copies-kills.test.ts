import Database from 'better-sqlite3';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../free-port.ts';
import { commandLine, type CommandLine, type ServeProcess } from './command-line.ts';

/** More kills than in every run, such as 200. */
const long = Number(process.env['LONG_COPY_TEST'] ?? 0);
const kills = long > 0 ? long : 14;
vi.setConfig({ testTimeout: long > 0 ? 3_600_000 : 180_000, hookTimeout: 120_000 });

const runs = long > 0 ? 60 : 6;
const runBytes = 24 * 1024 * 1024;
const idOf = (run: number): string => `run-${String(run).padStart(3, '0')}`;

interface End {
  readonly cli: CommandLine;
  readonly port: number;
  served: ServeProcess;
}

let bench: End;
let facility: End;
let token: string;
const digests = new Map<string, string>();

async function startEnd(): Promise<End> {
  const [cli, port] = [await commandLine(), await freePort()];
  return { cli, port, served: await cli.serve(['--port', String(port)]) };
}

async function killAndRestart(end: End): Promise<void> {
  end.served.kill('SIGKILL');
  await end.served.ended;
  end.served = await end.cli.serve(['--port', String(end.port)]);
}

beforeAll(async () => {
  [bench, facility] = [await startEnd(), await startEnd()];
  await facility.cli.ok(['user', 'create', 'alice', '--password-stdin'], 'seven lamps over 9 benches\n');
  const scopes = ['--scopes', 'write_measurement,read_measurement,read_api'];
  token = await facility.cli.ok(['token', 'create', '--user', 'alice', '--name', 'bench', ...scopes]);
  await writeFile(path.join(bench.cli.dir, 'token'), token);
  await bench.cli.ok(['user', 'create', 'bob', '--password-stdin'], 'seven lamps over 9 benches\n');
  for (let run = 0; run < runs; run += 1) {
    const folder = path.join(bench.cli.dir, idOf(run));
    await mkdir(folder);
    const scan = randomBytes(runBytes);
    digests.set(idOf(run), createHash('sha256').update(scan).digest('hex'));
    await writeFile(path.join(folder, 'scan.bin'), scan);
    for (let small = 0; small < 50; small += 1) await writeFile(path.join(folder, `s${small}`), randomBytes(500));
    await bench.cli.ok(['measurement', 'register', folder, '--id', idOf(run), '--owner', 'bob']);
  }
  limitRate(path.join(bench.cli.dataDir, 'benchport.db'));
  await killAndRestart(bench);
});
afterAll(async () => Promise.all([bench.cli.end(), facility.cli.end()]));

/** So that kills find something on its way. */
function limitRate(file: string): void {
  const database = new Database(file, { timeout: 10_000 });
  const settings = JSON.stringify({ at_most: 2, speed_limit: 20_000_000, schedule: null });
  database.prepare(`INSERT OR REPLACE INTO settings (key, value) VALUES ('copies', ?)`).run(settings);
  database.close();
}

/** The states of all copies. Those that wait are resumed, because the back-off is longer than the test. */
function states(): readonly { readonly measurement_id: string; readonly state: string }[] {
  const database = new Database(path.join(bench.cli.dataDir, 'benchport.db'), { timeout: 10_000 });
  try {
    database.prepare(`UPDATE copies SET state = 'queued', retry_at = NULL WHERE state = 'waiting'`).run();
    return database
      .prepare<[], { measurement_id: string; state: string }>(
        'SELECT measurement_id, state FROM copies ORDER BY measurement_id',
      )
      .all();
  } finally {
    database.close();
  }
}

async function read(route: string): Promise<Buffer> {
  const answer = await fetch(`${facility.served.url}${route}`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

test(`after ${kills} kills of both ends each copy is there once, with its bytes`, async () => {
  const to = ['--to', facility.served.url, '--token-file', path.join(bench.cli.dir, 'token'), '--no-wait'];
  for (let run = 0; run < runs; run += 1) await bench.cli.ok(['push', idOf(run), ...to]);
  for (let kill = 0; kill < kills; kill += 1) {
    await setTimeout(randomInt(100, 1500));
    await killAndRestart(kill % 2 === 0 ? bench : facility);
    states();
  }
  await expect
    .poll(() => new Set(states().map(({ state }) => state)), { timeout: 150_000 * (long > 0 ? 10 : 1), interval: 500 })
    .toEqual(new Set(['verified']));
  expect(states().map(({ measurement_id: id }) => id)).toEqual(Array.from({ length: runs }, (_, run) => idOf(run)));
  const listed = JSON.parse((await read('/api/v4/measurements?per_page=100')).toString()) as { readonly id: string }[];
  expect(listed.map(({ id }) => id).toSorted()).toEqual(Array.from({ length: runs }, (_, run) => idOf(run)));
  for (const { id } of listed) {
    const manifest = JSON.parse((await read(`/measurements/${id}/files`)).toString()) as {
      readonly files: readonly { readonly path: string }[];
    };
    expect(manifest.files).toHaveLength(51);
    const index = manifest.files.findIndex((file) => file.path === 'scan.bin');
    const bytes = await read(`/measurements/${id}/files/${index}`);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(digests.get(id));
  }
});
