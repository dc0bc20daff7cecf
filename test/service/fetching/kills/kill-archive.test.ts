import { existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { randomNumbers, startChildFetch } from '../../../faults/child-fetch.ts';
import { startFaultServer } from '../../../faults/fault-server.ts';
import { archiveOf, digestsBelow, filesOf, partialEnding } from '../../../faults/folder-contents.ts';
import { generateMeasurement, smallFiles } from '../../../faults/measurement.ts';

const mebibyte = 1024 * 1024;
const connections = 4;
/** BENCHPORT_KILLS=100 for all of them; a few with each run of the suite. */
const runs = Number(process.env['BENCHPORT_KILLS'] ?? 4);
const seed = Number(process.env['BENCHPORT_KILL_SEED'] ?? Date.now() % 1_000_000);
const measurement = generateMeasurement('run-17', 43, [['raw/big.bin', 12 * mebibyte + 7], ...smallFiles(200, 9000)]);

interface Kill {
  readonly archive: 'kept' | 'unpacked';
  /** Else it comes. */
  readonly whileProven: boolean;
  /** After that began. */
  readonly milliseconds: number;
}

/** Kills a process that fetches an archive, or one that proves or unpacks it, and lets the next one go on. @returns bytes that came more than once */
async function oneRun(dir: string, { archive, whileProven, milliseconds }: Kill): Promise<number> {
  const right = archive === 'kept' ? archiveOf(measurement) : filesOf(measurement);
  const home = path.join(dir, 'home');
  mkdirSync(home, { recursive: true });
  const server = await startFaultServer(measurement, { pace: 100_000_000 });
  const order = {
    database: path.join(dir, 'journal.db'),
    baseUrl: server.url,
    measurementId: measurement.id,
    target: path.join(home, 'm'),
    connections,
    archive,
  };
  try {
    const first = startChildFetch(order);
    const isUnpacking = (): boolean => existsSync(path.join(order.target, 'raw'));
    const hasCome = (): boolean => server.bytesSent() === measurement.archiveBytes;
    const began = whileProven
      ? archive === 'unpacked'
        ? isUnpacking
        : hasCome
      : (): boolean => server.bytesSent() > 0;
    while (!began()) await wait(1);
    await wait(milliseconds);
    first.process.kill('SIGKILL');
    await first.ended;
    // A file under its final name is correct.
    for (const [file, digest] of digestsBelow(order.target, (name) => !name.endsWith(partialEnding)))
      expect(digest, file).toBe(right.get(file));
    const report = await startChildFetch(order).ended;
    expect(report?.outcome).toEqual({ kind: 'done' });
    // Nothing else, and nothing half there.
    expect(digestsBelow(order.target)).toEqual(right);
    return server.bytesSent() - measurement.archiveBytes;
  } finally {
    await server.stop();
  }
}

test(
  `an archive whose process is killed, ${runs} times: fetched, proven and unpacked from where it was, and nothing else stays`,
  async () => {
    const base = await mkdtemp(path.join(os.tmpdir(), 'benchport-kill-archive-'));
    const random = randomNumbers(seed);
    try {
      for (let run = 0; run < runs; run += 1) {
        const kill: Kill = {
          archive: run % 4 < 2 ? 'unpacked' : 'kept',
          whileProven: run % 2 === 1,
          milliseconds: Math.round(random() * 150),
        };
        const again = await oneRun(path.join(base, String(run)), kill).catch((error: unknown) => {
          throw new Error(`run ${run}: ${JSON.stringify(kill)} (BENCHPORT_KILL_SEED=${seed})`, { cause: error });
        });
        // Received bytes are recorded when unpacking begins.
        const isOnRecord = kill.whileProven && kill.archive === 'unpacked';
        expect(again, `run ${run}`).toBeLessThanOrEqual(isOnRecord ? 0 : connections * 4 * mebibyte);
      }
    } finally {
      await rm(base, { recursive: true, force: true });
    }
  },
  60_000 + runs * 30_000,
);
