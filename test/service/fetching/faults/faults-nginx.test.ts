import { closeSync, mkdirSync, openSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startNginx } from '../../../bench/servers/nginx.ts';
import type { Server } from '../../../bench/servers/server.ts';
import { slicesOf } from '../../../faults/content.ts';
import { openFetchLab, type FetchLab, type Scene } from '../../../faults/fetch-lab.ts';
import { filesOf } from '../../../faults/folder-contents.ts';
import { generateMeasurement, manifestOf, smallFiles } from '../../../faults/measurement.ts';

const mebibyte = 1024 * 1024;
const measurement = generateMeasurement('run-11', 22, [
  ['raw data/big #1.bin', 12 * mebibyte + 1],
  ['empty.dat', 0],
  ...smallFiles(80, 3000),
]);
let dir: string;
let nginx: Server;
let lab: FetchLab;
let scene: Scene;

const fileOf = (index: number) => path.join(dir, 'root/measurements', measurement.id, 'files', String(index));

beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-nginx-'));
  mkdirSync(path.dirname(fileOf(0)), { recursive: true });
  for (const [index, file] of measurement.files.entries()) {
    const fd = openSync(fileOf(index), 'w');
    for (const slice of slicesOf(file)) writeSync(fd, slice);
    closeSync(fd);
  }
  // nginx's listing of the folder, after a redirect to the address with a slash.
  writeFileSync(path.join(path.dirname(fileOf(0)), 'index.html'), JSON.stringify(manifestOf(measurement)));
  nginx = await startNginx(dir, path.join(dir, 'root'));
  lab = await openFetchLab();
});
afterAll(async () => {
  await lab.end();
  await nginx.stop();
  await rm(dir, { recursive: true, force: true });
});
beforeEach(() => {
  scene = lab.scene(measurement);
});
afterEach(() => {
  lab.engine.limit(null, new Map());
  scene.mustBeClean();
});

const baseUrl = () => `http://127.0.0.1:${nginx.port}`;

/** Fetches slowly until something of the big file is in the journal, and stops. */
async function begun() {
  const plan = await scene.plan(baseUrl());
  lab.engine.limit(8_000_000, new Map());
  const run = await scene.run(plan);
  while (run.progress().bytesDone < 3 * mebibyte) await new Promise((resolve) => setTimeout(resolve, 10));
  run.stop();
  expect(await run.outcome).toEqual({ kind: 'stopped' });
  expect(await lab.journal.pieces(plan.id, 0)).not.toEqual([]);
  lab.engine.limit(null, new Map());
  return plan;
}

test('everything comes from nginx as it is', async () => {
  expect(await scene.untilEnd(await scene.plan(baseUrl()))).toEqual({ kind: 'done' });
  expect(scene.files()).toEqual(filesOf(measurement));
});

test('stopped midway it goes on where it was', async () => {
  const plan = await begun();
  const run = await scene.run(plan);
  expect(await run.outcome).toEqual({ kind: 'done' });
  expect(scene.files()).toEqual(filesOf(measurement));
  expect(run.progress().bytesReceived).toBeLessThan(10 * mebibyte);
});

test('a new time of the file, and so another tag: it begins anew and is right', async () => {
  const plan = await begun();
  utimesSync(fileOf(0), new Date(2026, 1, 1), new Date(2026, 1, 1));
  expect(await scene.untilEnd(plan)).toEqual({ kind: 'done' });
  expect(scene.files()).toEqual(filesOf(measurement));
});

test('other bytes under the same time and length, which nginx does not see: they never get the final name', async () => {
  const plan = await begun();
  const time = new Date(2026, 1, 1);
  writeFileSync(fileOf(0), Buffer.alloc(12 * mebibyte + 1, 'x'));
  utimesSync(fileOf(0), time, time);
  expect(await scene.untilEnd(plan)).toMatchObject({ kind: 'failed', reason: 'files-failed' });
  expect(scene.files().has('raw data/big #1.bin')).toBe(false);
});
