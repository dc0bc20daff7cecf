import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { programEntry } from '../service/program-entry.ts';
import { RawClient } from '../service/raw-client.ts';

vi.setConfig({ testTimeout: 60_000 });

test('L14: with 256 descriptors, 300 half-sent heads do not block other clients', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-descriptors-'));
  const serve = [
    process.execPath,
    programEntry('command line'),
    'serve',
    '--port',
    '0',
    '--data',
    path.join(dir, 'data'),
  ];
  const child = spawn('sh', ['-c', 'ulimit -n 256; exec "$0" "$@"', ...serve], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const clients: RawClient[] = [];
  try {
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (line: Buffer) => resolve((JSON.parse(String(line)) as { url: string }).url));
      void ended.then(() => reject(new Error('serve ended')));
    });
    for (let i = 0; i < 300; i += 1) {
      const client = await RawClient.open(url);
      client.socket.write('GET /-/health HTTP/1.1\r\nX: ');
      clients.push(client);
    }
    for (let i = 0; i < 20; i += 1) {
      const client = await RawClient.open(url);
      clients.push(client);
      client.get('/-/health');
      await Promise.race([client.until(1), client.closed]);
      expect(client.status).toBe(200);
    }
  } finally {
    for (const { socket } of clients) socket.destroy();
    child.kill('SIGKILL');
    await ended;
    await rm(dir, { recursive: true, force: true });
  }
});
