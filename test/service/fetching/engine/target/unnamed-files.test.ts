import { execFileSync } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { diskCalls, isMuchToWrite } from '../../../../../src-main/service/fetching/engine/target/disk-calls.ts';
import { syncFiles } from '../../../../../src-main/service/fetching/engine/target/sync-files.ts';
import { canKeepDescriptors, FolderWalk } from '../../../../../src-main/service/files/target-folder-walk.ts';
import { openTarget } from '../../../../../src-main/service/fetching/engine/target/target-folder.ts';
import type { Target } from '../../../../../src-main/service/fetching/engine/target/target.ts';
import { mayMount } from '../../../may-mount.ts';
import { eachTestIn, failure, write } from './target-scene.ts';

let above: string;
let folder: string;

eachTestIn((scene) => {
  ({ above, folder } = scene);
});

/** A folder of which it is known that there are many files. */
async function openForMany(holding?: boolean): Promise<Target> {
  const target = await openTarget(folder, holding);
  for (let at = 0; at < 16; at += 1) expect(target.createUnnamed(`few-${at}`)).toBeNull();
  return target;
}

function written(target: Target, file: string, text: string): number {
  const fd = target.createUnnamed(file);
  if (fd === null) throw new Error(`${file} got no descriptor`);
  writeSync(fd, text);
  return fd;
}

test('without folders that are held there are none', async () => {
  const target = await openForMany(false);
  expect(target.createUnnamed('a')).toBeNull();
  target.close();
});

test('an unknown file system has none, nor has a folder that cannot be looked at', () => {
  expect(diskCalls('/proc')).toBeNull();
  expect(diskCalls(path.join(above, 'not there'))).toBeNull();
});

test('a disk is not waited for when others have much to write', () => {
  const memory = (dirty: number, writeback: number): string =>
    `Cached:         999999999 kB\nDirty:            ${dirty} kB\nWriteback:       ${writeback} kB\nWritebackTmp:    999999999 kB\n`;
  expect(isMuchToWrite(memory(32 * 1024, 32 * 1024))).toBe(false);
  expect(isMuchToWrite(memory(32 * 1024, 32 * 1024 + 1))).toBe(true);
  expect(isMuchToWrite(memory(64 * 1024 + 1, 0))).toBe(true);
});

// The tests' folder lies in memory, or on a disk that is known.
test.runIf(process.platform === 'linux')('a file has no name before it is given one', async () => {
  const target = await openForMany();
  mkdirSync(path.join(folder, 'a'));
  writeFileSync(path.join(folder, 'a/b.benchport-part'), 'left by an older run');
  const fd = written(target, 'a/b', 'text');
  expect(readdirSync(path.join(folder, 'a'))).toEqual([]);
  expect(fstatSync(fd).nlink).toBe(0);
  target.nameUnnamed('a/b', fd);
  expect(await target.syncFiles([fd], 'all')).toEqual([null]);
  await target.sync();
  closeSync(fd);
  expect(readdirSync(path.join(folder, 'a'))).toEqual(['b']);
  expect(readFileSync(path.join(folder, 'a/b'), 'utf8')).toBe('text');
  const own = target.openFinished('a/b');
  expect(own).not.toBeNull();
  closeSync(own ?? -1);
  closeSync(written(target, 'a/c', 'never named'));
  expect(readdirSync(path.join(folder, 'a'))).toEqual(['b']);
  target.close();
});

test.runIf(process.platform === 'linux')(
  'what has a name is never replaced, and a folder that has gone is told',
  async () => {
    const target = await openForMany();
    write(target, 'taken', 'first');
    const fd = written(target, 'taken', 'second');
    expect(() => target.nameUnnamed('taken', fd)).toThrow(
      failure('name-taken', /another file already has this name/, true),
    );
    expect(readFileSync(path.join(folder, 'taken'), 'utf8')).toBe('first');
    rmSync(folder, { recursive: true });
    expect(() => target.nameUnnamed('other', fd)).toThrow(failure('target-missing', /no longer there/, false));
    expect(readdirSync(above)).not.toContain('other');
    closeSync(fd);
    target.close();
  },
);

test.runIf(process.platform === 'linux')(
  'one call puts many files on disk; where it fails, each is asked for',
  async () => {
    const target = await openForMany();
    const fds = Array.from({ length: 20 }, (_, at) => written(target, `f${at}`, 'text'));
    expect(await target.syncFiles(fds, 'bytes')).toEqual(fds.map(() => null));
    let asked = 0;
    const whole = (answer: boolean) => async (): Promise<boolean> => {
      asked += 1;
      return answer;
    };
    const withBad = [...fds, 1_000_000];
    // A descriptor that there is not is only noticed where each is asked for.
    expect(await syncFiles(withBad, 'bytes', whole(true))).toEqual(withBad.map(() => null));
    for (const what of ['bytes', 'all'] as const) {
      const failures = await syncFiles(withBad, what, whole(false));
      expect(failures.slice(0, 20)).toEqual(fds.map(() => null));
      expect(failures[20]).toMatchObject({ code: 'EBADF' });
    }
    expect(asked).toBe(3);
    // Few are not worth it.
    await syncFiles(fds.slice(0, 15), 'bytes', whole(true));
    expect(asked).toBe(3);
    for (const fd of fds) closeSync(fd);
    target.close();
  },
);

test.runIf(process.platform === 'linux')('the calls say what failed', async () => {
  const calls = diskCalls(above);
  if (!calls) throw new Error('This system has no calls for many files.');
  expect(await calls.syncDisk(1_000_000)).toBe(false);
  expect(() => calls.nameFile(1_000_000, 1_000_000, 'x')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});

test.runIf(process.platform === 'linux')(
  'a thread that ends while it waits for the disk takes nothing with it',
  async () => {
    const source = new URL('../../../../../src-main/service/fetching/engine/target/disk-calls.ts', import.meta.url)
      .href;
    for (let round = 0; round < 5; round += 1) {
      const program = `import(${JSON.stringify(source)}).then(async ({ diskCalls }) => {
      const { openSync } = await import('node:fs');
      const calls = diskCalls(${JSON.stringify(above)});
      const fd = openSync(${JSON.stringify(above)}, 'r');
      // Again and again: a disk that has nothing to write answers before the thread is ended.
      const wait = async () => { for (;;) await calls.syncDisk(fd); };
      const waiting = Array.from({ length: 8 }, wait);
      require('node:worker_threads').parentPort.postMessage('waits');
      await Promise.all(waiting);
    });`;
      const worker = new Worker(program, { eval: true });
      await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
      expect(await worker.terminate()).toBe(1);
    }
  },
);

test.runIf(mayMount && canKeepDescriptors)(
  'another disk within the folder: then no single call puts all on disk',
  () => {
    const inner = path.join(folder, 'inner');
    mkdirSync(inner, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', 'benchport-test', inner]);
    try {
      const walk = new FolderWalk(folder, true);
      expect(walk.oneDisk?.path).toBe(folder);
      expect(walk.at('inner', false)).not.toBeNull();
      expect(walk.oneDisk).toBeNull();
      walk.close();
    } finally {
      execFileSync('umount', [inner]);
    }
  },
);
