import Database from 'better-sqlite3';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { randomNumbers, startChildFetch } from '../../../faults/child-fetch.ts';
import { startFaultServer } from '../../../faults/fault-server.ts';
import { digestsBelow, filesOf, partialEnding } from '../../../faults/folder-contents.ts';
import { untruePieces, type KnownPiece } from '../../../faults/known-pieces.ts';
import { mayLoopMount, openLoopDisk, type LoopDisk } from '../../../faults/loop-disk.ts';
import { generateMeasurement, smallFiles } from '../../../faults/measurement.ts';

const mebibyte = 1024 * 1024;
const connections = 4;
/** BENCHPORT_POWER_CUTS=50 for more of them. */
const runs = Number(process.env['BENCHPORT_POWER_CUTS'] ?? 2);
const seed = Number(process.env['BENCHPORT_KILL_SEED'] ?? Date.now() % 1_000_000);
const measurement = generateMeasurement('run-9', 20, [
  ['raw/big.bin', 18 * mebibyte + 7],
  ['raw/second.bin', 2 * mebibyte],
  ...smallFiles(40, 9000),
]);
const total = measurement.files.reduce((sum, file) => sum + file.length, 0);
/** One of two ends: the process is killed, and what the kernel holds of its writes survives; or the power fails, and that is lost too. */
const ends = mayLoopMount() ? (['kill', 'power'] as const) : (['kill'] as const);

/** Bytes of incomplete files that are on disk according to the journal. */
function journalled(file: string): readonly KnownPiece[] {
  const database = new Database(file);
  try {
    return database
      .prepare<[], KnownPiece>(
        "SELECT idx AS [index], start, end FROM fetch_pieces JOIN fetch_files USING (fetch_id, idx) WHERE state <> 'done'",
      )
      .all();
  } finally {
    database.close();
  }
}

/** Files that the journal says are done. */
function done(file: string): readonly number[] {
  const database = new Database(file);
  try {
    return database.prepare<[], number>("SELECT idx FROM fetch_files WHERE state = 'done'").pluck().all();
  } finally {
    database.close();
  }
}

/** Fetches on a disk until it ends so, looks at what is there, and fetches the rest. */
async function oneRun(folder: string, moment: number, disk: LoopDisk | null): Promise<void> {
  const home = path.join(folder, String(moment));
  const target = path.join(home, 'm');
  mkdirSync(home);
  const server = await startFaultServer(measurement, { pace: 50_000_000 });
  const order = {
    database: path.join(home, 'journal.db'),
    baseUrl: server.url,
    measurementId: measurement.id,
    target,
    connections,
  };
  const right = filesOf(measurement);
  try {
    const first = startChildFetch(order);
    // After the first bytes: the time that a process needs to start is of no interest here.
    while (server.bytesSent() === 0) await wait(5);
    await wait(moment);
    await disk?.powerFails();
    first.process.kill('SIGKILL');
    await first.ended;
    await disk?.powerReturns();
    const begun = existsSync(order.database);
    expect(untruePieces(measurement, target, begun ? journalled(order.database) : [])).toEqual([]);
    const there = digestsBelow(target, (file) => !file.endsWith(partialEnding));
    // Under a final name nothing is half there, journalled or not; and what is journalled as done is there.
    for (const [file, digest] of there) expect([file, digest]).toEqual([file, right.get(file)]);
    for (const index of begun ? done(order.database) : [])
      expect(there.get(measurement.files[index]?.path ?? '')).toBeDefined();
    expect((await startChildFetch(order).ended)?.outcome).toEqual({ kind: 'done' });
    expect(digestsBelow(target)).toEqual(right);
    expect(server.bytesSent() - total).toBeLessThanOrEqual(connections * 4 * mebibyte);
  } finally {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

test.each(ends)(
  `%s at a random moment, ${runs} times: the journal says nothing that is not on disk, and what it says is used`,
  async (kill) => {
    const random = randomNumbers(seed);
    const disk = kill === 'power' ? openLoopDisk(64) : null;
    const folder = disk?.folder ?? mkdtempSync(path.join(os.tmpdir(), 'benchport-power-'));
    try {
      for (let run = 0; run < runs; run += 1) {
        const moment = Math.round(random() * 400);
        await oneRun(folder, moment, disk).catch((error: unknown) => {
          throw new Error(`run ${run}, after ${moment} ms (BENCHPORT_KILL_SEED=${seed})`, { cause: error });
        });
      }
    } finally {
      await disk?.end();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  30_000 + runs * 20_000,
);
