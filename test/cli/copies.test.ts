import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLine, type CommandLine, type ServeProcess } from './command-line.ts';

let bench: CommandLine;
let facility: CommandLine;
let served: ServeProcess;
let tokenFile: string;

beforeAll(async () => {
  [bench, facility] = await Promise.all([commandLine(), commandLine()]);
  served = await facility.serve();
  await facility.ok(['user', 'create', 'alice', '--password-stdin'], 'seven lamps over 9 benches\n');
  const scopes = ['--scopes', 'write_measurement,read_measurement'];
  const token = await facility.ok(['token', 'create', '--user', 'alice', '--name', 'bench', ...scopes]);
  tokenFile = path.join(bench.dir, 'token');
  await writeFile(tokenFile, token);
  await bench.ok(['user', 'create', 'bob', '--password-stdin'], 'seven lamps over 9 benches\n');
  await mkdir(path.join(bench.dir, 'run'));
  await writeFile(path.join(bench.dir, 'run', 'scan.bin'), Buffer.alloc(3_000_000, 7));
  await writeFile(path.join(bench.dir, 'run', 'note.txt'), 'note');
  for (const id of ['run-1', 'run-2', 'run-3'])
    await bench.ok(['measurement', 'register', path.join(bench.dir, 'run'), '--id', id, '--owner', 'bob']);
});
afterAll(async () => Promise.all([bench.end(), facility.end()]));

const push = async (id: string, ...args: readonly string[]) => bench.run(['push', id, '--to', ...args]);
const host = () => new URL(served.url).host;

test('a measurement is copied to a server, without a service and by a running one', async () => {
  expect(await push('run-1', served.url)).toMatchObject({ status: 2, stderr: expect.stringContaining('--token-file') });
  expect(await push('run-1', served.url, '--token-file', tokenFile)).toEqual({
    status: 0,
    stdout: `run-1: 2 files, 2.9 MiB, copied to ${host()}, with its receipt\n`,
    stderr: '',
  });
  const service = await bench.serve();
  expect((await push('run-2', host())).stdout).toBe(`run-2: 2 files, 2.9 MiB, copied to ${host()}, with its receipt\n`);
  const queued = await push('run-3', host(), '--no-wait', '--json');
  expect(JSON.parse(queued.stdout)).toMatchObject({ id: 'run-3', state: 'queued', receipt: null });
  const again = await push('run-3', host(), '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ id: 'run-3', state: 'verified' });
  service.kill('SIGTERM');
  await service.ended;
});

test('what cannot be copied says why', async () => {
  expect(await push('nothing', host())).toMatchObject({ status: 1, stderr: expect.stringContaining('no measurement') });
  expect((await push('run-1', 'elsewhere')).status).toBe(2);
  const wrong = path.join(bench.dir, 'wrong');
  await writeFile(wrong, 'glpat-wrong');
  await bench.ok(['measurement', 'register', path.join(bench.dir, 'run'), '--id', 'run-4', '--owner', 'bob']);
  const refused = await push('run-4', served.url, '--token-file', wrong);
  expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('does not accept the token') });
  expect((await push('run-4', served.url, '--token-file', tokenFile)).status).toBe(0);
});

test('an upload keeps a receipt, which is verified without any service', async () => {
  const uploaded = await bench.run([
    'upload',
    path.join(bench.dir, 'run'),
    '--to',
    served.url,
    '--token-file',
    tokenFile,
    '--id',
    'up-1',
  ]);
  expect(uploaded).toMatchObject({ status: 0, stderr: expect.stringContaining('Receipt: up-1.receipt.json\n') });
  const token = await readFile(tokenFile, 'utf8');
  const headers = { authorization: `Bearer ${token}` };
  await writeFile(
    path.join(bench.dir, 'manifest.json'),
    await (await fetch(`${served.url}/measurements/up-1/files`, { headers })).text(),
  );
  await writeFile(path.join(bench.dir, 'keys.json'), await (await fetch(`${served.url}/api/v4/receipts/keys`)).text());
  served.kill('SIGTERM');
  await served.ended;
  const verified = await bench.run([
    'receipt',
    'verify',
    'up-1.receipt.json',
    '--keys',
    'keys.json',
    '--manifest',
    'manifest.json',
  ]);
  expect(verified).toMatchObject({ status: 0, stderr: '' });
  expect(verified.stdout).toMatch(
    /^Measurement  up-1, 2 files, 2\.9 MiB\nManifest     [0-9a-f]{64}\nHeld by      http.*\nIssued to    alice\nSigned with  [\w-]{43}\n$/,
  );
  const alone = await bench.run(['receipt', 'verify', 'up-1.receipt.json', '--json']);
  expect(JSON.parse(alone.stdout)).toMatchObject({ sub: 'alice', measurement: { id: 'up-1' } });
  expect(alone.stderr).toContain('/api/v4/receipts/keys');
});

test('a receipt that was changed, or is about other files, is refused', async () => {
  const kept = JSON.parse(await readFile(path.join(bench.dir, 'up-1.receipt.json'), 'utf8'));
  const changed = path.join(bench.dir, 'changed.json');
  await writeFile(changed, JSON.stringify({ ...kept, receipt: kept.receipt.replace(/.\./, 'A.') }));
  expect(await bench.run(['receipt', 'verify', changed])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('is refused'),
  });
  const manifest = JSON.parse(await readFile(path.join(bench.dir, 'manifest.json'), 'utf8'));
  manifest.files[0].path = 'other.txt';
  await writeFile(path.join(bench.dir, 'other.json'), JSON.stringify(manifest));
  const other = await bench.run(['receipt', 'verify', 'up-1.receipt.json', '--manifest', 'other.json']);
  expect(other).toMatchObject({ status: 1, stderr: expect.stringContaining('other files') });
  await writeFile(path.join(bench.dir, 'text'), kept.receipt);
  expect((await bench.run(['receipt', 'verify', 'text'])).status).toBe(2);
  expect((await bench.run(['receipt', 'verify', 'text', '--keys', 'keys.json'])).status).toBe(0);
  expect((await bench.run(['receipt', 'verify', 'nothing'])).status).toBe(2);
});
