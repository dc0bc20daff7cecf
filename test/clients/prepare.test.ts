import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { whyNotUsable } from './prepare.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'benchport-tools-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function launcher(name: string, script: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

test('a launcher without its toolchain counts as missing', async () => {
  const cargo = await launcher('cargo', 'echo "error: rustup could not choose a version of cargo to run" >&2; exit 1');
  expect(await whyNotUsable({ [cargo]: '--version' })).toBe(
    `${cargo} does not run on this machine (error: rustup could not choose a version of cargo to run)`,
  );
});

test('a missing command is reported, and one that runs is usable', async () => {
  const works = await launcher('works', '[ "$1" = --version ]');
  expect(await whyNotUsable({ [works]: '--version' })).toBeUndefined();
  expect(await whyNotUsable({ [works]: '--version', [path.join(folder, 'absent')]: '--version' })).toContain(
    'absent does not run on this machine',
  );
});
