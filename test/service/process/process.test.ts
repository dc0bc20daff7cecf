import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FromService, StartOptions } from '../../../src-main/service/process/host-protocol.ts';
import { programEntry } from '../program-entry.ts';
import { windowRequest } from '../raw-request.ts';

const entry = programEntry('service');
let dir: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-process-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await rm(dir, { recursive: true, force: true });
});

function options(name = 'window'): StartOptions {
  const root = path.resolve(import.meta.dirname, '../../..');
  return {
    dataDir: path.join(dir, 'data'),
    socketPath: path.join(dir, 'run', `${name}.sock`),
    secret: 'a-secret-of-this-launch',
    host: '127.0.0.1',
    port: 0,
    assetsDir: path.join(root, 'assets'),
    rendererDir: path.join(root, 'out/renderer'),
  };
}

function start(): ChildProcess {
  const child = fork(entry, [], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  children.push(child);
  return child;
}

async function hear(child: ChildProcess): Promise<FromService> {
  const [message] = (await once(child, 'message')) as [FromService];
  return message;
}

describe('the service as a process of the window', () => {
  test('says when it is ready, answers on both listeners, and stops on request', async () => {
    const child = start();
    child.send({ type: 'start', options: options() });
    const ready = await hear(child);
    expect(ready).toEqual({
      type: 'ready',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      socketPath: options().socketPath,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    if (ready.type !== 'ready') return;
    expect((await fetch(`${ready.url}/-/health`)).status).toBe(200);
    const socket = { socketPath: options().socketPath, launchSecret: 'a-secret-of-this-launch' };
    expect(JSON.parse((await windowRequest(socket, 'GET', '/api/v4/session')).body)).toMatchObject({ door: 'window' });
    const exit = once(child, 'exit');
    child.send({ type: 'stop' });
    expect(await hear(child)).toEqual({ type: 'stopped' });
    expect(await exit).toEqual([0, null]);
  });

  test('says why it cannot start, and ends', async () => {
    const first = start();
    first.send({ type: 'start', options: options() });
    expect(await hear(first)).toMatchObject({ type: 'ready' });
    const second = start();
    const exit = once(second, 'exit');
    second.send({ type: 'start', options: options('other') });
    expect(await hear(second)).toEqual({
      type: 'failed',
      code: 'data-in-use',
      message: expect.stringContaining('Another Benchport service'),
    });
    expect(await exit).toEqual([1, null]);
  });

  test.each([
    ['its parent is gone', (child: ChildProcess) => child.disconnect()],
    ['it gets SIGTERM', (child: ChildProcess) => void child.kill('SIGTERM')],
  ])('ends in order when %s', async (_name, end) => {
    const child = start();
    child.send({ type: 'start', options: options() });
    await hear(child);
    const exit = once(child, 'exit');
    end(child);
    expect(await exit).toEqual([0, null]);
  });

  test('ends when its parent exits before it has started', async () => {
    const child = start();
    const exit = once(child, 'exit');
    child.disconnect();
    expect(await exit).toEqual([0, null]);
  });

  test('ignores invalid messages', async () => {
    const child = start();
    for (const rubbish of ['start', {}, { type: 'start' }, { type: 'dance' }, 5]) child.send(rubbish);
    child.send({ type: 'start', options: options() });
    expect(await hear(child)).toMatchObject({ type: 'ready' });
  });
});
