import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startAlteringProxy, type AlteringProxy } from '../service/copies/altering-proxy.ts';
import { addMeasurement } from '../service/fixture-measurement.ts';
import { startTestService, type TestService } from '../service/start.ts';
import { commandLine, type CommandLine, type Outcome } from './command-line.ts';

// Each download starts a thread from the sources, which takes time.
vi.setConfig({ testTimeout: 120_000 });

let far: TestService;
let proxy: AlteringProxy;
let cli: CommandLine;
let tokenFile: string;
let to: string;
let number = 0;

beforeAll(async () => {
  far = await startTestService();
  const alice = await far.user('alice');
  for (const id of ['run-1', 'run-2'])
    await addMeasurement(far, alice, id, [
      { path: 'a.txt', bytes: 'a' },
      { path: 'b/c.txt', bytes: id },
    ]);
  proxy = await startAlteringProxy(far.url);
  cli = await commandLine();
  tokenFile = path.join(cli.dir, 'token');
  await writeFile(tokenFile, `${await far.token(alice, ['read_measurement'])}\n`);
});
afterAll(async () => {
  await cli.end();
  await proxy.end();
  await far.end();
});
beforeEach(async () => {
  number += 1;
  to = path.join(cli.dir, `to-${number}`);
  await mkdir(to);
  proxy.alter = () => null;
});
afterEach(() => rm(to, { recursive: true, force: true }));

const download = (...args: readonly string[]): Promise<Outcome> =>
  cli.runHere(['download', ...args, '--token-file', tokenFile, '--to', to]);
const url = (id = 'run-1') => `${proxy.url}/measurements/${id}`;
const verify = (...args: readonly string[]): Promise<Outcome> => cli.runHere(['receipt', 'verify', ...args]);

test('a download keeps the receipt of the server, which is verified without any service', async () => {
  const file = path.join(to, 'run-1.receipt.json');
  expect(await download(url(), '--receipt')).toEqual({
    status: 0,
    stdout: `${path.join(to, 'run-1')}  2 files, 6 B, verified\n`,
    stderr: `Receipt: ${file}\n`,
  });
  expect((await readdir(to)).toSorted()).toEqual(['run-1', 'run-1.receipt.json']);
  const manifest = path.join(to, 'manifest.json');
  const headers = { authorization: `Bearer ${(await readFile(tokenFile, 'utf8')).trim()}` };
  await writeFile(manifest, await (await fetch(`${far.url}/measurements/run-1/files`, { headers })).text());
  const verified = await verify(file, '--manifest', manifest);
  expect(verified.status).toBe(0);
  expect(verified.stdout).toMatch(/Measurement {2}run-1, 2 files/);
  expect(verified.stdout).toContain('Issued to    alice');
  // The address that it was got from is not the one that the server says of itself.
  expect(verified.stderr).toContain(`It was got from ${proxy.url}, but names ${far.url}.`);
  // Once more: the files are there, and so is the receipt.
  const again = await download(url(), '--receipt', '--json');
  expect(JSON.parse(again.stdout)).toEqual({
    downloads: [{ url: url(), ok: true, path: path.join(to, 'run-1'), files: 2, bytes: 6, receipt: file }],
  });
});

test('several measurements have one each, and a file may be named for one', async () => {
  expect((await download(url('run-1'), url('run-2'), '--receipt')).status).toBe(0);
  expect((await readdir(to)).toSorted()).toEqual(['run-1', 'run-1.receipt.json', 'run-2', 'run-2.receipt.json']);
  const named = path.join(to, 'proof.json');
  expect((await download(url('run-2'), '--receipt', named)).stderr).toBe(`Receipt: ${named}\n`);
  expect((await verify(named)).stdout).toContain('run-2');
  const usage = async (...args: readonly string[]) => {
    const { status, stderr } = await download(...args);
    expect(status, stderr).toBe(2);
    return stderr;
  };
  expect(await usage(url('run-1'), url('run-2'), '--receipt', named)).toContain('One file cannot hold');
  expect(await usage(`${url()}/files/0`, '--receipt')).toContain('whole measurement');
  expect(await usage(url(), '--receipt', url('run-2'))).toContain('takes a file');
});

test('without a receipt the download is complete all the same, and it is said why there is none', async () => {
  const answer =
    (status: number) =>
    ({ path: asked }: { path: string }) =>
      asked.endsWith('/receipts') ? { status, body: {} } : null;
  proxy.alter = answer(404);
  expect(await download(url(), '--receipt')).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('gives no receipts'),
  });
  proxy.alter = answer(500);
  const failed = await download(url(), '--receipt', '--json');
  expect(failed).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('It was downloaded and verified, but there is no receipt.'),
  });
  expect(JSON.parse(failed.stdout)).toMatchObject({ downloads: [{ ok: true, files: 2, receipt: null }] });
  proxy.alter = ({ path: asked }) =>
    asked.endsWith('/receipts') ? { change: ({ receipt }) => ({ receipt: `${String(receipt)}A` }) } : null;
  expect(await download(url(), '--receipt')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('is refused'),
  });
  expect(await readdir(to)).toEqual(['run-1']);
  expect((await readdir(path.join(to, 'run-1'))).toSorted()).toEqual(['a.txt', 'b']);
});

test('a file that is there is not overwritten, and a folder that is not there is named', async () => {
  const file = path.join(to, 'run-1.receipt.json');
  await writeFile(file, 'mine');
  expect(await download(url(), '--receipt')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('is not a receipt'),
  });
  expect(await readFile(file, 'utf8')).toBe('mine');
  const nowhere = await download(url(), '--receipt', path.join(to, 'nowhere', 'r.json'));
  expect(nowhere.status).toBe(1);
  expect(nowhere.stderr).toContain('It was downloaded and verified');
});
