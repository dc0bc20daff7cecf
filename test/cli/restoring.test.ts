import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../service/start.ts';
import { commandLine, type CommandLine, type Outcome } from './command-line.ts';
import { libraryFile } from './library-file.ts';

let bench: CommandLine;
let facility: TestService;
const scan = Buffer.alloc(300_000, 7);

/** In this process, because each of its own takes a second to start. */
async function run(...args: readonly string[]): Promise<Outcome> {
  return bench.runHere(args);
}

async function ok(args: readonly string[], input = ''): Promise<void> {
  const { status, stderr } = await bench.runHere(args, input);
  expect(status, stderr).toBe(0);
}

beforeAll(async () => {
  [bench, facility] = await Promise.all([commandLine(), startTestService()]);
  const tokenFile = path.join(bench.dir, 'token');
  const alice = await facility.user('alice');
  await writeFile(tokenFile, await facility.token(alice, ['write_measurement', 'read_measurement']));
  await ok(['user', 'create', 'bob', '--password-stdin'], 'seven lamps over 9 benches\n');
  for (const [id, ...copy] of [['in-library', '--copy'], ['in-place']] as const) {
    const folder = path.join(bench.dir, id);
    await mkdir(folder);
    await writeFile(path.join(folder, 'note.txt'), 'note');
    await writeFile(path.join(folder, 'scan.bin'), scan);
    await ok(['measurement', 'register', folder, '--id', id, '--owner', 'bob', ...copy]);
    await ok(['push', id, '--to', facility.url, '--token-file', tokenFile]);
  }
});
// The last test ends the facility.
afterAll(async () => bench.end());

const verify = async (id: string, ...args: readonly string[]) => run('measurement', 'verify', id, ...args);
const host = () => new URL(facility.url).host;

async function spoil(file: string): Promise<void> {
  await chmod(file, 0o644);
  await writeFile(file, 'rotten');
}

test('a wrong file of the library is restored from a verified copy by itself', async () => {
  const file = await libraryFile(bench, scan);
  await spoil(file);
  const outcome = await verify('in-library');
  expect(outcome).toMatchObject({ status: 0, stderr: '' });
  expect(outcome.stdout).toContain(`altered: scan.bin. 1 file restored from ${host()}`);
  expect((await readFile(file)).equals(scan)).toBe(true);
  expect((await verify('in-library')).stdout).toBe('in-library: 2 of 2 files are unchanged\n');
});

test('a wrong file elsewhere is restored only where that is asked for, and what was there is kept', async () => {
  const file = path.join(bench.dir, 'in-place', 'scan.bin');
  await spoil(file);
  const found = await verify('in-place');
  expect(found.status).toBe(1);
  expect(found.stderr).toContain(`altered: scan.bin. A verified copy is on ${host()}: --restore`);
  expect(await readFile(file, 'utf8')).toBe('rotten');
  expect(await verify('in-place', '--restore')).toMatchObject({ status: 0, stderr: '' });
  expect((await readFile(file)).equals(scan)).toBe(true);
  expect(await readFile(`${file}.before-restore`, 'utf8')).toBe('rotten');
});

test('when the copy cannot be read, what was found is said with the reason, and nothing is replaced', async () => {
  await facility.end();
  const file = await libraryFile(bench, scan);
  await spoil(file);
  const outcome = await verify('in-library', '--json');
  expect(outcome.status).toBe(1);
  expect(outcome.stderr).toMatch(/altered: scan\.bin\. It could not be restored from .* refuses connections/);
  expect(JSON.parse(outcome.stdout)).toMatchObject({ id: 'in-library', state: 'degraded' });
  expect(await readFile(file, 'utf8')).toBe('rotten');
});
