import { existsSync, linkSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { flipBit } from '../../faults/body-faults.ts';
import { startFaultServer } from '../../faults/fault-server.ts';
import { openFetchLab } from '../../faults/fetch-lab.ts';
import { digestsBelow, filesOf, partialEnding } from '../../faults/folder-contents.ts';
import { generateMeasurement, smallFiles } from '../../faults/measurement.ts';
import { DiskThread } from '../../../src-main/service/fetching/engine/disk-thread.ts';
import { engineHere } from '../../../src-main/service/fetching/engine/engine-here.ts';
import { TargetError } from '../../../src-main/service/fetching/engine/target-folder-error.ts';

let base: string;
let folder: string;
let thread: DiskThread;

beforeEach(async () => {
  base = mkdtempSync(path.join(os.tmpdir(), 'benchport-disk-'));
  folder = path.join(base, 'M1');
  mkdirSync(folder);
  thread = new DiskThread(folder);
  await expect.poll(() => thread.isOpen, { timeout: 20_000 }).toBe(true);
});
afterEach(async () => {
  await thread.close();
  rmSync(base, { recursive: true, force: true });
});

async function write(file: string, text: string): Promise<number | Error> {
  return new Promise((resolve) => expect(thread.take(file, Buffer.from(text), resolve)).toBe(true));
}

async function written(file: string, text: string): Promise<{ readonly path: string; readonly fd: number }> {
  const fd = await write(file, text);
  if (typeof fd !== 'number') throw fd;
  return { path: file, fd };
}

test('files get their names together, but one whose name was taken meanwhile, which is not replaced', async () => {
  const files = await Promise.all(['a', 'deep/b', 'c'].map(async (file) => written(file, `of ${file}`)));
  expect(existsSync(path.join(folder, 'a'))).toBe(false);
  writeFileSync(path.join(folder, 'deep/b'), 'another');
  const [first, second, third] = await thread.name(files);
  expect([first, third]).toEqual([null, null]);
  expect(second).toBeInstanceOf(TargetError);
  expect(second).toMatchObject({ reason: 'target-unwritable', onlyThisFile: true, message: expect.stringContaining('b: another file has this name already') });
  expect(['a', 'deep/b', 'c'].map((file) => readFileSync(path.join(folder, file), 'utf8'))).toEqual(['of a', 'another', 'of c']);
});

test('a link in the way of a folder is not followed, and a folder that has gone is told', async () => {
  mkdirSync(path.join(base, 'elsewhere'));
  symlinkSync(path.join(base, 'elsewhere'), path.join(folder, 'deep'));
  expect(await write('deep/b', 'b')).toMatchObject({ reason: 'target-unwritable', onlyThisFile: true });
  expect(readdirSync(path.join(base, 'elsewhere'))).toEqual([]);
  const before = await written('a', 'a');
  renameSync(folder, path.join(base, 'moved'));
  // It is looked at once a turn of the thread.
  let tries = 0;
  await expect.poll(async () => write(`c${(tries += 1)}`, 'c')).toMatchObject({ reason: 'target-missing', onlyThisFile: false });
  await expect(thread.name([before])).rejects.toMatchObject({ name: 'TargetError', reason: 'target-missing' });
});

test('it takes what there is room for, and more when that is written', async () => {
  const quarter = Buffer.alloc(256 * 1024, 7);
  let count = 0;
  const fds: (number | Error)[] = [];
  while (thread.take(`${count}`, quarter, (fd) => fds.push(fd))) count += 1;
  expect(count).toBe(8);
  await thread.idle();
  expect(fds).toHaveLength(8);
  expect(thread.take('more', quarter, (fd) => fds.push(fd))).toBe(true);
  await thread.idle();
  expect(await thread.name(fds.map((fd, at) => ({ path: at === 8 ? 'more' : `${at}`, fd: Number(fd) })))).toEqual(Array.from({ length: 9 }, () => null));
  for (const file of readdirSync(folder)) expect(readFileSync(path.join(folder, file)).equals(quarter)).toBe(true);
});

test('many small files of the command line are all there and proven, also those that came wrong at first', async () => {
  const measurement = generateMeasurement('run-40', 23, smallFiles(400, 9000));
  const server = await startFaultServer(measurement);
  const lab = await openFetchLab();
  const engine = engineHere(lab.journal);
  const flip = flipBit(4000);
  // Each of four files once.
  const once = new Set<number>();
  server.faults = [
    (asked, answer) => {
      if (asked.what !== 'file' || asked.index % 100 !== 77 || once.has(asked.index)) return answer;
      once.add(asked.index);
      return flip(asked, answer);
    },
  ];
  try {
    const scene = lab.scene(measurement);
    const plan = await scene.plan(server.url);
    expect(await engine.run(plan).outcome).toEqual({ kind: 'done' });
    expect(once.size).toBe(4);
    expect(digestsBelow(scene.target)).toEqual(filesOf(measurement));
    expect(await lab.journal.standing(plan.id)).toEqual({ filesDone: 400, bytesDone: 3_600_000, bytesVerified: 3_600_000 });
    // As a kill leaves one that got its name and was not on record yet.
    const [file = ''] = filesOf(measurement).keys();
    linkSync(path.join(scene.target, file), path.join(scene.target, `${file}${partialEnding}`));
    expect(await engine.run(await scene.plan(server.url)).outcome).toEqual({ kind: 'done' });
    expect(digestsBelow(scene.target)).toEqual(filesOf(measurement));
  } finally {
    await engine.close();
    await server.stop();
    await lab.end();
  }
});
