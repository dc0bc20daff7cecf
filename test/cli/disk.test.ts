import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { mayMount } from '../service/may-mount.ts';
import { commandLine, type CommandLine } from './command-line.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let cli: CommandLine;
let disk: string;

beforeEach(async () => {
  cli = await commandLine();
  disk = path.join(cli.dir, 'disk');
  await mkdir(disk);
  if (mayMount) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'benchport-test', disk]);
});
afterEach(async () => {
  if (mayMount) execFileSync('umount', ['--lazy', disk]);
  await cli.end();
});

test.skipIf(!mayMount)('a backup and a download to a full disk say that it is full', async () => {
  await cli.runHere(['user', 'create', 'alice', '--admin']);
  const backup = await cli.runHere(['backup', path.join(disk, 'backup.zip')]);
  expect(backup).toEqual({
    status: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^benchport: The backup cannot be written: (the disk is full|ENOSPC.*)\.\n$/,
    ) as string,
  });

  const token = path.join(cli.dir, 'token');
  await writeFile(token, 'a-token\n');
  const download = await cli.runHere([
    'download',
    'http://127.0.0.1:9/measurements/run',
    '--token-file',
    token,
    '--to',
    disk,
  ]);
  expect(download).toEqual({
    status: 1,
    stdout: '',
    stderr: `benchport: ${path.join(disk, 'run')} cannot be written to: the disk is full.\n`,
  });
});

test.skipIf(!mayMount)('the doctor reports that a data directory cannot be created', async () => {
  const wanted = path.join(disk, 'new', 'data');
  const look = async () => (await cli.runHere(['doctor', '--data', wanted, '--port', '0'])).stdout;
  expect(await look()).toContain(`ok      data directory: ${wanted} is not there yet`);
  execFileSync('mount', ['-o', 'remount,ro', disk]);
  expect(await look()).toContain(
    `FAILED  data directory: ${wanted} cannot be made, because ${disk} cannot be written;`,
  );
});
