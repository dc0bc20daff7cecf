import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { run } from '../service/run-program.ts';
import { installHeadless } from './install-headless.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let folder: string;
let prefix: string;
let serving: ChildProcess | undefined;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'benchport-headless-'));
  prefix = await installHeadless(folder);
});
afterAll(async () => {
  serving?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

test('the headless package installs with npm, and its command creates an account and serves', async () => {
  const command = path.join(prefix, 'bin', 'benchport');
  const env = {
    ...process.env,
    BENCHPORT_DATA: path.join(folder, 'data'),
    PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
  };
  const child = spawn(command, ['serve', '--port', '0'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  serving = child;
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await vi.waitUntil(() => said.includes('\n'), { timeout: 20_000 });
  const { url } = JSON.parse(said.split('\n', 1)[0] ?? '') as { url: string };
  expect(await (await fetch(`${url}/-/readiness`)).json()).toMatchObject({ status: 'ok' });
  expect((await fetch(`${url}/ui/`)).headers.get('content-type')).toContain('text/html');
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
});

test('on a Node that is too old its command says so', async () => {
  const old =
    "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'22.13.1'}})";
  const { status, stdout, stderr } = await run(process.execPath, [
    '--import',
    old,
    path.join(prefix, 'lib/node_modules/benchport/bin/benchport.js'),
    '--help',
  ]);
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: 'benchport: This needs Node 22.14 or newer, and this is 22.13.1. Install a newer one.\n',
  });
});

test('it contains the packages with native code and their dependencies, and nothing of the desktop', async () => {
  const modules = path.join(prefix, 'lib/node_modules/benchport/node_modules');
  const names = (await readdir(modules)).filter((name) => !name.startsWith('.'));
  expect(names.toSorted()).toEqual(['@koromix', '@node-rs', 'better-sqlite3', 'koffi', 'node-addon-api']);
  for (const file of ['out/main', 'out/preload', 'src-main', 'out/service/cli.js.map'])
    expect([file, existsSync(path.join(prefix, 'lib/node_modules/benchport', file))]).toEqual([file, false]);
  expect(existsSync(path.join(prefix, 'share/man/man1/benchport.1'))).toBe(true);
  for (const file of [
    'out/THIRD-PARTY-NOTICES.txt',
    'out/sbom.cdx.json',
    'assets/linux/benchport.service',
    'deploy/nginx.conf',
    'deploy/systemd/benchport@.service',
    'docs/administrator-guide.md',
    'LICENSE',
  ])
    expect([file, existsSync(path.join(prefix, 'lib/node_modules/benchport', file))]).toEqual([file, true]);
});

test.each(['assets/linux/benchport.service', 'deploy/systemd/benchport@.service'])(
  'L8: its systemd unit %s is valid, confines the service and writes no core file',
  async (name) => {
    const unit = path.resolve(import.meta.dirname, '../..', name);
    // A core file would contain tokens and keys.
    expect(await readFile(unit, 'utf8')).toMatch(/^LimitCORE=0$/m);
    const checked = await run('systemd-analyze', ['verify', '--man=no', unit]);
    // Only the missing command may be reported.
    expect(
      checked.stderr
        .split('\n')
        .filter((line) => line !== '' && !/is not executable|Failed to (prepare|connect)|Command benchport/.test(line)),
    ).toEqual([]);
    const { stdout } = await run('systemd-analyze', ['security', '--offline=yes', '--threshold=30', unit]);
    expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(2.5);
  },
);
