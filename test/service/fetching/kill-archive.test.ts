import { existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { randomNumbers, startChildFetch } from '../../faults/child-fetch.ts';
import { startFaultServer } from '../../faults/fault-server.ts';
import { digestsBelow, filesOf } from '../../faults/folder-contents.ts';
import { generateMeasurement, smallFiles } from '../../faults/measurement.ts';

const mebibyte = 1024 * 1024;
const connections = 4;
/** BENCHPORT_KILLS=100 for all of them; a few with each run of the suite. */
const runs = Number(process.env['BENCHPORT_KILLS'] ?? 4);
const seed = Number(process.env['BENCHPORT_KILL_SEED'] ?? Date.now() % 1_000_000);
const measurement = generateMeasurement('run-17', 43, [['raw/big.bin', 12 * mebibyte + 7], ...smallFiles(200, 9000)]);

/** Kills a process that fetches an archive, or one that unpacks it, and lets the next one go on. @returns bytes that came more than once */
async function oneRun(dir: string, whileUnpacking: boolean, milliseconds: number): Promise<number> {
  const home = path.join(dir, 'home');
  mkdirSync(home, { recursive: true });
  const server = await startFaultServer(measurement, { pace: 100_000_000 });
  const order = {
    database: path.join(dir, 'journal.db'),
    baseUrl: server.url,
    measurementId: measurement.id,
    target: path.join(home, 'm'),
    connections,
    unpack: true,
  };
  try {
    const first = startChildFetch(order);
    while (whileUnpacking ? !existsSync(path.join(order.target, 'raw')) : server.bytesSent() === 0) await wait(1);
    await wait(milliseconds);
    first.process.kill('SIGKILL');
    await first.ended;
    const report = await startChildFetch(order).ended;
    expect(report?.outcome).toEqual({ kind: 'done' });
    // No archive, and nothing half there.
    expect(digestsBelow(order.target)).toEqual(filesOf(measurement));
    return server.bytesSent() - measurement.archiveBytes;
  } finally {
    await server.stop();
  }
}

test(
  `an archive whose process is killed, ${runs} times: fetched and unpacked from where it was, and nothing else stays`,
  async () => {
    const base = await mkdtemp(path.join(os.tmpdir(), 'benchport-kill-archive-'));
    const random = randomNumbers(seed);
    try {
      for (let run = 0; run < runs; run += 1) {
        const [whileUnpacking, milliseconds] = [run % 2 === 1, Math.round(random() * 150)];
        const again = await oneRun(path.join(base, String(run)), whileUnpacking, milliseconds).catch((error: unknown) => {
          throw new Error(`run ${run}, killed after ${milliseconds} ms (BENCHPORT_KILL_SEED=${seed})`, { cause: error });
        });
        expect(again, `run ${run}`).toBeLessThanOrEqual(whileUnpacking ? 0 : connections * 4 * mebibyte);
      }
    } finally {
      await rm(base, { recursive: true, force: true });
    }
  },
  60_000 + runs * 30_000,
);
