import { fork } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { FromService } from '../../src-main/service/process/host-protocol.ts';
import { superviseService, type SupervisedProcess } from '../../src-main/shell/service/service-supervisor.ts';
import { asWindow } from '../service/as-window.ts';
import { programEntry } from '../service/program-entry.ts';

const polling = { timeout: 50_000 };
const root = path.resolve(import.meta.dirname, '../..');

/** The real service, as the shell starts it where its own runtime is too old. */
function spawnService(): SupervisedProcess {
  const child = fork(programEntry('service'), [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, BENCHPORT_LOG: 'error' },
  });
  return {
    send: (message) => void child.send(message),
    onMessage: (listener) => void child.on('message', (message) => listener(message as FromService)),
    onExit: (listener) => void child.once('exit', listener),
    kill: () => void child.kill('SIGKILL'),
  };
}

test('a supervised service that restores a backup, and then one that moves its data, restarts with the expected data', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-restored-'));
  const socket = { socketPath: path.join(dir, 'run', 'window.sock'), launchSecret: 'a-secret-of-this-test-launch' };
  const dataDir = path.join(dir, 'data');
  const supervisor = superviseService(spawnService, {
    dataDir,
    socketPath: socket.socketPath,
    secret: socket.launchSecret,
    host: '127.0.0.1',
    port: 0,
    assetsDir: path.join(root, 'assets'),
    rendererDir: path.join(root, 'out/renderer'),
  });
  const states: string[] = [];
  supervisor.onChange(({ kind }) => states.push(kind));
  const lives = (): number => states.filter((kind) => kind === 'ready').length;
  const names = async (): Promise<readonly string[]> =>
    ((await asWindow(socket, 'GET', '/api/v4/users')).body as readonly { username: string }[]).map(
      ({ username }) => username,
    );
  try {
    supervisor.start();
    await expect.poll(lives, polling).toBe(1);
    await asWindow(socket, 'POST', '/api/v4/setup', { username: 'alice', name: 'Alice' });
    const file = path.join(dir, 'disk', 'b.zip');
    await mkdir(path.dirname(file));
    const { body } = await asWindow(socket, 'POST', '/api/v4/local/backups', { file });
    const { id } = body as { id: number };
    await expect
      .poll(
        async () => ((await asWindow(socket, 'GET', `/api/v4/jobs/${id}`)).body as { state: string }).state,
        polling,
      )
      .toBe('done');
    expect((await asWindow(socket, 'POST', '/api/v4/users', { username: 'bob', name: 'Bob' })).status).toBe(201);
    expect(await names()).toEqual(['alice', 'bob']);

    expect((await asWindow(socket, 'POST', '/api/v4/local/backups/restore', { file })).status).toBe(202);
    await expect.poll(lives, polling).toBe(2);
    expect(await names()).toEqual(['alice']);

    const to = path.join(dir, 'elsewhere');
    expect((await asWindow(socket, 'POST', '/api/v4/local/data/move', { to })).status).toBe(202);
    await expect.poll(lives, polling).toBe(3);
    expect((await asWindow(socket, 'GET', '/api/v4/service')).body).toMatchObject({ data_dir: to, last_end: null });
    expect(await names()).toEqual(['alice']);
  } finally {
    await supervisor.stop();
    await rm(dir, { recursive: true, force: true });
  }
});
