import Database from 'better-sqlite3';
import { mkdtemp, rm } from 'node:fs/promises';
import { mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { randomNumbers, startChildFetch } from '../../../faults/child-fetch.ts';
import { startFaultServer } from '../../../faults/fault-server.ts';
import { digestsBelow, filesOf } from '../../../faults/folder-contents.ts';
import { generateMeasurement, smallFiles } from '../../../faults/measurement.ts';

const mebibyte = 1024 * 1024;
const connections = 4;
/** BENCHPORT_KILLS=100 for all of them; a few with each run of the suite. */
const runs = Number(process.env['BENCHPORT_KILLS'] ?? 8);
const seed = Number(process.env['BENCHPORT_KILL_SEED'] ?? Date.now() % 1_000_000);
const atOnce = 2;
const measurement = generateMeasurement('run-8', 19, [
  ['raw/big.bin', 22 * mebibyte + 7],
  ['raw/second.bin', 2 * mebibyte],
  ...smallFiles(60, 9000),
]);
const total = measurement.files.reduce((sum, file) => sum + file.length, 0);
/** Bytes that may be fetched twice: those of each connection that were not yet in the journal. */
const allowed = connections * 4 * mebibyte;
let base: string;
/** How long a process takes that is not killed, in milliseconds; and about how long of it the bytes take. */
let usual: number;
const fetching = 400;

beforeAll(async () => {
  base = await mkdtemp(path.join(os.tmpdir(), 'benchport-kill-'));
  const started = performance.now();
  await oneRun('unkilled', null);
  usual = performance.now() - started;
}, 60_000);
afterAll(() => rm(base, { recursive: true, force: true }));

interface Moment {
  readonly milliseconds: number;
  readonly fromFirstByte: boolean;
}

/** Fetches; the first process is killed after some milliseconds, the next one fetches the rest. @returns bytes that came more than once. */
async function oneRun(name: string, killAfter: Moment | null): Promise<number> {
  const dir = path.join(base, name);
  mkdirSync(path.join(dir, 'home'), { recursive: true });
  // Slower than the client: what waits in the buffers of a connection was never received, and would count here.
  const server = await startFaultServer(measurement, { pace: 100_000_000 });
  const target = path.join(dir, 'home', 'm');
  const order = {
    database: path.join(dir, 'journal.db'),
    baseUrl: server.url,
    measurementId: measurement.id,
    target,
    connections,
  };
  try {
    if (killAfter !== null) {
      const first = startChildFetch(order);
      // Most of the time goes into starting the process: half of the kills come after its first byte.
      while (killAfter.fromFirstByte && server.bytesSent() === 0) await wait(2);
      await wait(killAfter.milliseconds);
      first.process.kill('SIGKILL');
      await first.ended;
    }
    const report = await startChildFetch(order).ended;
    expect(report?.outcome).toEqual({ kind: 'done' });
    expect(digestsBelow(path.join(dir, 'home'))).toEqual(
      new Map([...filesOf(measurement)].map(([file, digest]) => [`m/${file}`, digest])),
    );
    expect(piecesLeft(order.database)).toBe(0);
    return server.bytesSent() - total;
  } finally {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

function piecesLeft(file: string): number {
  const database = new Database(file, { readonly: true });
  try {
    return database.prepare<[], number>('SELECT count(*) FROM fetch_pieces').pluck().get() ?? -1;
  } finally {
    database.close();
  }
}

test(
  `killed at a random moment, ${runs} times: every byte is right, and little comes twice`,
  async () => {
    const random = randomNumbers(seed);
    const moments = Array.from({ length: runs }, (_, run): Moment => {
      const fromFirstByte = run % 4 >= 2;
      return { milliseconds: Math.round(random() * (fromFirstByte ? fetching : usual)), fromFirstByte };
    });
    const again: number[] = [];
    const lanes = Array.from({ length: atOnce }, async (_, lane) => {
      for (let run = lane; run < runs; run += atOnce) {
        const moment = moments[run] ?? null;
        const twice = await oneRun(`run-${run}`, moment).catch((error: unknown) => {
          throw new Error(`run ${run}, killed after ${JSON.stringify(moment)} (BENCHPORT_KILL_SEED=${seed})`, {
            cause: error,
          });
        });
        again.push(twice);
      }
    });
    await Promise.all(lanes);
    if (runs > 20)
      console.log(
        `killed ${runs} times; bytes that came twice, in MiB: ${again.map((bytes) => (bytes / mebibyte).toFixed(1)).join(' ')}`,
      );
    expect(again.filter((bytes) => bytes > allowed)).toEqual([]);
  },
  // A busy machine takes many times as long: what holds it up is no fault of what is tested.
  60_000 + runs * 30_000,
);
