import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { mayMount } from '../may-mount.ts';
import { ruleOf, useCapture } from './scene.ts';

const run = promisify(execFile);
const scene = useCapture();

/** All that a listing shows of a folder, except the times of reading. */
async function listing(folder: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const name of ['.', ...(await readdir(folder, { recursive: true })).toSorted()]) {
    const { ino, mode, nlink, size, blocks, mtimeNs, ctimeNs } = await lstat(path.join(folder, name), { bigint: true });
    lines.push([name, ino, mode, nlink, size, blocks, mtimeNs, ctimeNs].join(' '));
  }
  return lines;
}

async function writeRuns(): Promise<void> {
  await scene.bench.write('run-1/a/scan.raw', Buffer.alloc(300_000, 1));
  await scene.bench.write('run-1/done.txt');
  await scene.bench.write('run-2/scan.raw');
}

const changes = { existing: true, fields: [{ name: 'sample', from: 'done.txt', key: 'sample' }] };

test.each([
  ['left where they are', false],
  ['copied', true],
])('nothing is changed in a watched folder whose runs are %s', async (_what, copy) => {
  await writeRuns();
  const before = await listing(scene.bench.folder);
  await scene.window.add(ruleOf(scene.bench.folder, { ...changes, copy }));
  await scene.window.reaches('run-1', 'registered');
  const { id } = await scene.window.reaches('run-2', 'seen');
  await scene.window.act('register', [id]);
  await scene.window.reaches('run-2', 'registered');
  expect(await listing(scene.bench.folder)).toEqual(before);
});

test('bytes that are read twice are only read', async () => {
  await writeRuns();
  const before = await listing(scene.bench.folder);
  await scene.window.add(ruleOf(scene.bench.folder, { ...changes, sign: 'quiet', minutes: 0.01 }));
  await scene.window.reaches('run-1', 'registered');
  expect(await listing(scene.bench.folder)).toEqual(before);
});

if (process.getuid?.() !== 0) {
  test('a folder without the right to write is enough', async () => {
    await writeRuns();
    const folders = ['', 'run-1', 'run-1/a', 'run-2'].map((name) => path.join(scene.bench.folder, name));
    for (const folder of folders) await chmod(folder, 0o555);
    try {
      await scene.window.add(ruleOf(scene.bench.folder, changes));
      await scene.window.reaches('run-1', 'registered');
    } finally {
      for (const folder of folders) await chmod(folder, 0o755);
    }
  });
}

if (mayMount) {
  test('a folder that is mounted read-only is enough', async () => {
    await writeRuns();
    const mounted = path.join(scene.service.dir, 'mounted');
    await mkdir(mounted);
    await run('mount', ['--bind', scene.bench.folder, mounted]);
    try {
      await run('mount', ['-o', 'remount,bind,ro', mounted]);
      await scene.window.add(ruleOf(mounted, changes));
      await scene.window.reaches('run-1', 'registered');
    } finally {
      await run('umount', ['--lazy', mounted]);
    }
  });
}
