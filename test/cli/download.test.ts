import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { runProgram } from '../../src-main/cli/program.ts';
import { addMeasurement } from '../service/fixture-measurement.ts';
import { lockFolder } from '../../src-main/service/fetching/disk/folder-lock.ts';
import type { Sharing } from '../../src-main/service/contract/sharing.ts';
import { lan, lanWorld } from '../service/network/lan-world.ts';
import { freePort } from '../free-port.ts';
import { programEntry } from '../service/program-entry.ts';
import { startTestService, type TestService } from '../service/start.ts';
import { commandLine, type CommandLine, type Outcome } from './command-line.ts';

// Each download starts a thread from the sources, which takes time.
vi.setConfig({ testTimeout: 120_000 });

let far: TestService;
let cli: CommandLine;
let tokenFile: string;
let to: string;
let number = 0;

const trace = Buffer.from(Array.from({ length: 4_000_000 }, (_none, at) => (at * 7919) % 251));

beforeAll(async () => {
  far = await startTestService();
  const alice = await far.user('alice');
  await addMeasurement(far, alice, 'run-1', [
    { path: 'note.txt', bytes: 'a note\n' },
    { path: 'raw/trace.bin', bytes: trace },
  ]);
  cli = await commandLine();
  tokenFile = path.join(cli.dir, 'token');
  await writeFile(tokenFile, `${await far.token(alice, ['read_measurement'])}\n`);
});
afterAll(async () => {
  await cli.end();
  await far.end();
});
beforeEach(async () => {
  number += 1;
  to = path.join(cli.dir, `to-${number}`);
  await mkdir(to);
});
afterEach(() => rm(to, { recursive: true, force: true }));

const download = (...args: readonly string[]): Promise<Outcome> =>
  cli.runHere(['download', ...args, '--token-file', tokenFile, '--to', to]);
const target = () => path.join(to, 'run-1');
const url = (rest = 'run-1') => `${far.url}/measurements/${rest}`;

test('one file is fetched, then the others, and a second run fetches nothing', async () => {
  const one = await download(url('run-1/files/1'), '--connections', '2');
  expect(one).toEqual({ status: 0, stdout: `${target()}  1 file, 3.8 MiB, verified\n`, stderr: '' });
  expect((await readdir(target(), { recursive: true })).toSorted()).toEqual(['raw', 'raw/trace.bin']);
  // The umask decides whether others may read the files.
  expect((await stat(target())).mode).toBe((await stat(path.join(target(), 'raw'))).mode);
  expect(await download(`${url()}/`)).toEqual({
    status: 0,
    stdout: `${target()}  2 files, 3.8 MiB, verified\n`,
    stderr: '',
  });
  expect((await readdir(target(), { recursive: true })).toSorted()).toEqual(['note.txt', 'raw', 'raw/trace.bin']);
  expect((await readFile(path.join(target(), 'raw/trace.bin'))).equals(trace)).toBe(true);
  const again = await download(url(), '--json');
  expect({ status: again.status, stderr: again.stderr }).toEqual({ status: 0, stderr: '' });
  expect(JSON.parse(again.stdout)).toEqual({
    downloads: [{ url: url(), ok: true, path: target(), files: 2, bytes: 4_000_007 }],
  });
});

test('each failure has one line, and the other files are fetched nevertheless', async () => {
  const refused = async (...args: readonly string[]) => {
    const { status, stdout, stderr } = await cli.runHere(['download', ...args]);
    expect(stderr.trimEnd().split('\n'), args.join(' ')).toHaveLength(1);
    expect(stdout).toBe('');
    return { status, stderr };
  };
  const rest = ['--token-file', tokenFile, '--to', to];
  const wrong = path.join(cli.dir, 'wrong');
  await writeFile(wrong, 'wrong-token');
  expect(await refused(url(), '--token-file', wrong, '--to', to)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('401'),
  });
  await writeFile(wrong, 'two words');
  expect((await refused(url(), '--token-file', wrong, '--to', to)).stderr).toContain('does not hold a token');
  expect((await refused(url(), '--token-file', '/no/such', '--to', to)).stderr).toContain('/no/such');
  expect((await refused(url(), '--token-file', tokenFile, '--to', '/no/such')).stderr).toContain(
    'There is no folder /no/such',
  );
  expect(await refused('http://127.0.0.1:1/measurements/run-1', ...rest)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('refuses connections'),
  });
  for (const id of ['..%2f..%2fetc', '%2e%2e', 'a%5cb', 'a%00'])
    expect(await refused(`http://127.0.0.1:1/measurements/${id}`, ...rest)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('it does not have the form'),
    });
  expect(await refused(far.url, ...rest)).toMatchObject({ status: 2 });
  expect(await refused('ftp://lab.example/measurements/m', ...rest)).toMatchObject({ status: 2 });
  expect(await refused(`${url()}?access_token=x`, ...rest)).toMatchObject({ status: 2 });
  expect(await refused(url(), ...rest, '--limit-rate', '5X')).toMatchObject({ status: 2 });
  expect(await readdir(to)).toEqual([]);

  const several = await download(url('run-2'), url('run-1/files/0'), '--json');
  expect(several.status).toBe(1);
  expect(several.stderr).toMatch(/^benchport: [^\n]*run-2: [^\n]*404[^\n]*\n$/);
  const { downloads } = JSON.parse(several.stdout) as { downloads: { ok: boolean }[] };
  expect(downloads.map(({ ok }) => ok)).toEqual([false, true]);
});

test('file names of a hostile server cannot control the terminal', async () => {
  const name = '\u001b]0;owned\u0007\u009b2J\rgone';
  const manifest = { measurementId: 'run-1', files: [{ index: 0, path: name, length: 1, crc32: 0, sha256: null }] };
  const hostile = createServer((_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(manifest)),
  );
  await once(hostile.listen(0, '127.0.0.1'), 'listening');
  const { port } = hostile.address() as AddressInfo;
  const { status, stderr } = await download(`http://127.0.0.1:${port}/measurements/run-1`);
  hostile.close();
  expect(status).toBe(1);
  expect(stderr).toContain('?]0;owned??2J?gone');
  expect(stderr.trimEnd()).not.toMatch(/\p{Cc}/u);
});

test('a file with other content is kept and named; after its removal the fetch completes, with a bar on a terminal', async () => {
  await mkdir(target());
  await writeFile(path.join(target(), 'note.txt'), 'mine!!!');
  const { status, stderr } = await download(url('run-1/files/0'));
  expect(status).toBe(1);
  expect(stderr).toContain('note.txt');
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(await readFile(path.join(target(), 'note.txt'), 'utf8')).toBe('mine!!!');
  await rm(path.join(target(), 'note.txt'));
  const [stdout, screen] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY: true, columns: 100 })];
  const terminal = { stdin: process.stdin, stdout, stderr: screen, environment: {}, programDir: import.meta.dirname };
  expect(
    await runProgram(['download', url(), '--token-file', tokenFile, '--to', to, '--limit-rate', '4M'], terminal),
  ).toBe(0);
  expect(String(screen.read())).toMatch(/\r\[#* *\] \d+ % {2}.* of 3\.8 MiB/);
  expect(await readdir(target())).toEqual(['note.txt', 'raw']);
});

test('a self-signed certificate is trusted by its fingerprint, and by no other', async () => {
  const world = await lanWorld();
  try {
    await addMeasurement(world.service, world.ownerId, 'run-1', [{ path: 'note.txt', bytes: 'a note\n' }]);
    const { url: base, certificate_sha256: sha256 } = (
      await world.share({ on: true, port: await freePort(lan.address), announce: false })
    ).body as Sharing;
    const file = path.join(cli.dir, 'token-of-the-lan');
    await writeFile(file, await world.service.token(world.ownerId, ['read_measurement']));
    const from = (wanted: string, ...args: readonly string[]) =>
      cli.runHere(['download', wanted, '--token-file', file, '--to', to, ...args]);
    const address = `${base}/measurements/run-1`;
    expect(await from(address)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('is not trusted by this machine'),
    });
    expect(await from(address, '--certificate', '0'.repeat(64))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('a different certificate'),
    });
    expect(await from(address, '--certificate', '9f86')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('64 hexadecimal digits'),
    });
    expect(await from(url(), '--certificate', sha256 ?? '')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('begins with https://'),
    });
    expect(await readdir(to)).toEqual([]);
    const grouped = (sha256?.toUpperCase().match(/.{4}/g) ?? []).join(' ');
    expect(await from(address, '--certificate', grouped)).toEqual({
      status: 0,
      stdout: `${target()}  1 file, 7 B, verified\n`,
      stderr: '',
    });
  } finally {
    await world.service.end();
  }
});

test('moving the folder ends the download, and after moving it back it continues', async () => {
  const running = download(url(), '--limit-rate', '2M');
  while (!existsSync(path.join(target(), 'raw/trace.bin.benchport-part')))
    await new Promise((resolve) => setTimeout(resolve, 20));
  const away = `${target()}-away`;
  await rename(target(), away);
  expect(await running).toMatchObject({ status: 1, stderr: expect.stringContaining('The folder is no longer there') });
  expect(await readdir(to)).toEqual([path.basename(away)]);
  await rename(away, target());
  expect(await download(url())).toMatchObject({ status: 0 });
  expect((await readFile(path.join(target(), 'raw/trace.bin'))).equals(trace)).toBe(true);
});

test('Ctrl-C stops it, two at once are refused, and the same command continues', async () => {
  const args = [
    programEntry('command line'),
    'download',
    url(),
    '--token-file',
    tokenFile,
    '--to',
    to,
    '--limit-rate',
    '1M',
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'exit');
  const part = path.join(target(), 'raw/trace.bin.benchport-part');
  while (!existsSync(part)) {
    if (child.exitCode !== null) throw new Error(`It ended before anything was there: ${stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(await download(url())).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`Another download into ${target()} is running`),
  });
  // The service does not fetch into the same folder meanwhile.
  expect(lockFolder(target())).toBe('busy');
  child.kill('SIGINT');
  expect(await ended).toEqual([1, null]);
  expect(stderr).toBe('benchport: The download was stopped. Run the same command again to continue.\n');
  const unlock = lockFolder(target());
  expect(await download(url())).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`Another download into ${target()} is running`),
  });
  if (typeof unlock === 'function') unlock();
  expect(existsSync(path.join(target(), '.benchport-fetch/journal.db'))).toBe(true);
  expect((await download(url())).status).toBe(0);
  expect((await readFile(path.join(target(), 'raw/trace.bin'))).equals(trace)).toBe(true);
  expect(await readdir(target())).toEqual(['note.txt', 'raw']);
});
