import { existsSync, mkdtempSync, readdirSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RunCounters, type FetchContext } from '../../../../../src-main/service/fetching/engine/run/fetch-context.ts';
import { FileCommitter } from '../../../../../src-main/service/fetching/engine/run/commit-files.ts';
import { openTarget } from '../../../../../src-main/service/fetching/engine/target/target-folder.ts';
import type { Target } from '../../../../../src-main/service/fetching/engine/target/target.ts';
import type { JournalChange } from '../../../../../src-main/service/fetching/engine/types.ts';

let folder: string;
const quarter = 256 * 1024;
const targets: Target[] = [];

beforeEach(() => {
  // In memory where that is possible: there files without a name can be made.
  folder = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'benchport-settle-'));
});

afterEach(() => {
  for (const target of targets.splice(0)) target.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a connection goes on as soon as one batch is in the journal, and never has 4 MiB that are not', async () => {
  const target = await openTarget(path.join(folder, 'M1'));
  targets.push(target);
  const journalled: string[][] = [];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const record = async (_id: number, changes: readonly JournalChange[]): Promise<void> => {
    journalled.push(readdirSync(target.folder).filter((name) => !name.endsWith('-part')));
    await gates[journalled.length - 1]?.promise;
    expect(changes.every(({ kind }) => kind === 'done')).toBe(true);
  };
  const failures: unknown[] = [];
  const counters = new RunCounters();
  const parts = {
    plan: { id: 1, what: 'files', connections: 1 },
    target,
    journal: { record },
    counters,
    fail: (error: unknown) => failures.push(error),
  };
  const settler = new FileCommitter(parts as unknown as FetchContext);
  let unsettled = 0;
  const add = async (number: number): Promise<void> => {
    const name = String(number);
    const fd = target.create(name);
    writeSync(fd, Buffer.alloc(quarter, number));
    const file = {
      index: number,
      path: name,
      href: null,
      length: quarter,
      crc32: 0,
      sha256: null,
      etag: null,
      state: 'waiting',
      restarts: 0,
    } as const;
    unsettled += 1;
    await settler.add({
      file,
      fd,
      unnamed: false,
      digest: { length: quarter, crc32: 0, sha256: new Uint8Array(32) },
      counted: 0,
    });
  };
  let added = 0;
  const all = (async (): Promise<void> => {
    for (; added < 20; added += 1) await add(added);
  })();
  await expect.poll(() => journalled.length).toBe(1);
  // Two MiB are being settled; with one file on its way, there is never more than four that could be lost.
  await expect.poll(() => unsettled).toBe(15);
  expect(counters.filesDone).toBe(0);
  gates[0]?.resolve();
  // The second batch is held, and more files are received nevertheless.
  await expect.poll(() => added).toBeGreaterThan(15);
  expect(counters.filesDone).toBe(8);
  gates[1]?.resolve();
  await all;
  await settler.flush();
  expect(failures).toEqual([]);
  expect(counters.filesDone).toBe(20);
  expect(readdirSync(target.folder)).toHaveLength(20);
  expect(journalled[0]).toHaveLength(8);
});

test.runIf(process.platform === 'linux')(
  'files without a name: bytes, names, the count of names, the folder, and then the journal',
  async () => {
    const real = await openTarget(path.join(folder, 'M2'));
    targets.push(real);
    const calls: string[] = [];
    const note = (call: string): void => {
      if (calls.at(-1) !== call) calls.push(call);
    };
    const target: Target = {
      ...real,
      createUnnamed: (file) => real.createUnnamed(file),
      nameUnnamed: (file, fd) => {
        note('name');
        real.nameUnnamed(file, fd);
      },
      syncFiles: (fds, what) => {
        note(`${fds.length} ${what}`);
        return real.syncFiles(fds, what);
      },
      sync: () => {
        note('folder');
        return real.sync();
      },
    };
    const record = async (): Promise<void> => note('journal');
    const parts = {
      plan: { id: 1, what: 'files', connections: 1 },
      target,
      journal: { record },
      counters: new RunCounters(),
      fail: (error: unknown) => note(String(error)),
    };
    const settler = new FileCommitter(parts as unknown as FetchContext);
    for (let number = 0; number < 36; number += 1) {
      const name = String(number);
      const fd = target.createUnnamed(name);
      expect(fd === null).toBe(number < 16);
      if (fd === null) continue;
      writeSync(fd, name);
      const file = {
        index: number,
        path: name,
        href: null,
        length: name.length,
        crc32: 0,
        sha256: null,
        etag: null,
        state: 'waiting',
        restarts: 0,
      } as const;
      await settler.add({
        file,
        fd,
        unnamed: true,
        digest: { length: name.length, crc32: 0, sha256: new Uint8Array(32) },
        counted: 0,
      });
    }
    await settler.flush();
    expect(calls).toEqual(['20 bytes', 'name', '20 all', 'folder', 'journal']);
    expect(readdirSync(real.folder)).toHaveLength(20);
  },
);
