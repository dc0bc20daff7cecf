import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { programEntry } from '../service/program-entry.ts';
import { run } from '../service/run-program.ts';
import { commandLine } from './command-line.ts';
import { useWorld } from '../service/use-service.ts';

// Each test runs many processes, one after the other.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const cli = useWorld(commandLine);

describe('bad usage ends with status 2, one line on standard error and no effect', () => {
  test.each([
    [['frob'], "unknown command 'frob'"],
    [['user', 'frob'], "unknown command 'frob'"],
    [['--frob'], "unknown option '--frob'"],
    [['user', 'create'], "missing required argument 'name'"],
    [['user', 'create', 'alice', 'bob'], 'too many arguments'],
    [['user', 'list', '--frob'], "unknown option '--frob'"],
    [['token', 'create', '--user', 'alice', '--name', 'x'], "required option '--scopes <list>' not specified"],
    [['token', 'revoke', 'x'], 'whole number'],
    [['token', 'revoke', '-1'], 'whole number'],
    [['token', 'revoke', '0'], 'whole number'],
    [['project', 'member', 'lab', '--user', 'alice', '--role', 'boss'], 'Allowed choices'],
    [['measurement', 'grant', 'm'], 'exactly one of'],
    [['measurement', 'grant', 'm', '--everyone', '--user', 'alice'], 'exactly one of'],
    [['measurement', 'grant', 'm', '--everyone', '--until', 'tomorrow'], 'tomorrow is not a date'],
    [['measurement', 'grant', 'm', '--everyone', '--until', '2031-02-30'], '2031-02-30 is not a date'],
    [['measurement', 'revoke', 'm'], 'exactly one of'],
    [['measurement', 'export', 'm', '--to', '.', '--format', 'tar'], 'Allowed choices'],
    [['measurement', 'register'], "missing required argument 'path'"],
    [['serve', '--port', '65536'], 'whole number'],
    [['serve', '--port', 'x'], 'whole number'],
    [['serve', '--base-url', 'ftp://bench'], 'cannot be used'],
    [['serve', '--base-url', 'http://user@bench'], 'cannot be used'],
    [['serve', '--x-accel', 'files=/usr', '--trusted-proxy', '127.0.0.1'], 'is not an internal location'],
    [['serve', '--x-accel', '/files/=/usr'], '--x-accel needs --trusted-proxy'],
    [['serve', '--trusted-proxy', 'localhost'], 'localhost is neither an address nor a network'],
    [['doctor', '--port', '1.5'], 'whole number'],
    [['user', 'list', '--data', ''], 'its value is empty'],
  ])('%j', async (args, words) => {
    const { status, stdout, stderr } = await cli.runHere(args);
    expect(stderr).toContain(words);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(status).toBe(2);
    expect(existsSync(cli.dataDir)).toBe(false);
  });

  test('also as a process', async () => {
    expect(await cli.run(['token', 'revoke', 'x'])).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('whole number'),
    });
  });

  test('a group without a command shows its commands', async () => {
    const { status, stderr } = await cli.run(['user']);
    expect(status).toBe(2);
    expect(stderr).toContain('create [options] <name>');
  });
});

test('help and version end with status 0', async () => {
  expect(await cli.ok(['--version'])).toMatch(/^\d+\.\d+\.\d+$/);
  expect(await cli.ok(['--help'])).toContain('measurement');
  expect(await cli.ok(['token', 'create', '--help'])).toContain('read_measurement');
});

test('a closed pipe is no failure; a full disk is one', async () => {
  const said = async (stdout: 'pipe' | number) => {
    const child = spawn(process.execPath, [programEntry('command line'), '--help'], {
      stdio: ['ignore', stdout, 'pipe'],
    });
    // Closes the pipe long before the program has started.
    child.stdout?.destroy();
    const stderr = textOf(child.stderr ?? Readable.from([]));
    const [status] = (await once(child, 'close')) as [number | null];
    return { status, stderr: await stderr };
  };
  expect(await said('pipe')).toEqual({ status: 0, stderr: '' });
  // /dev/full is always full and exists on Linux only.
  if (!existsSync('/dev/full')) return;
  const full = await open('/dev/full', 'w');
  expect(await said(full.fd)).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^benchport: The output cannot be written: .*ENOSPC.*\n$/),
  });
  await full.close();
});

test('reading a directory without data does not create any', async () => {
  const { status, stderr } = await cli.run(['user', 'list']);
  expect(status).toBe(1);
  expect(stderr).toBe(
    `benchport: There is no Benchport data in ${cli.dataDir}. Name the directory with --data, or start Benchport there once.\n`,
  );
  expect(existsSync(cli.dataDir)).toBe(false);
});

test('U14: a Node that is too old is reported in one line, before the program is loaded', async () => {
  const old =
    "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})";
  const { status, stdout, stderr } = await run(process.execPath, [
    '--import',
    old,
    programEntry('command line'),
    'user',
    'list',
  ]);
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: 'benchport: This needs Node 22.14 or newer, and this is 20.20.2. Install a newer one.\n',
  });
});
