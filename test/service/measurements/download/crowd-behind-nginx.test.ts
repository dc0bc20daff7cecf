import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import tls, { type TLSSocket } from 'node:tls';
import { afterEach, expect, test, vi } from 'vitest';
import { commandLine, type CommandLine } from '../../../cli/command-line.ts';
import { freePort } from '../../../free-port.ts';
import { startFront, type Front } from './nginx-front.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const [attacker, neighbour] = ['127.0.0.5', '127.0.0.6'];
const slowPosts = 2100;

let cli: CommandLine;
let front: Front | null = null;
let dir = '';
const sockets: TLSSocket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await front?.end();
  await cli.end();
  await rm(dir, { recursive: true, force: true });
});

function open(port: number, localAddress: string): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const plain = net.connect({ host: '127.0.0.1', port, localAddress }).on('error', () => {});
    const socket = tls.connect({ socket: plain, rejectUnauthorized: false, servername: 'bench.lab.example' }, () =>
      resolve(socket),
    );
    socket.once('error', reject).on('error', () => {});
    sockets.push(socket);
  });
}

async function statusOf(port: number, localAddress: string): Promise<number> {
  const socket = await open(port, localAddress);
  socket.write('GET /-/health HTTP/1.1\r\nHost: bench.lab.example\r\nConnection: close\r\n\r\n');
  let text = '';
  for await (const piece of socket) text += String(piece);
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
}

test.each([
  ['as the guide has it', (text: string) => text],
  // Every body is passed on while it arrives, and nginx counts nothing.
  [
    'that passes everything on at once',
    (text: string) => text.replace(/^ *limit_conn .*$/m, 'proxy_request_buffering off;'),
  ],
])('M4: a client with 2,100 slow requests keeps nobody else out, behind nginx %s', async (_how, change) => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-crowd-'));
  cli = await commandLine();
  const port = await freePort();
  await cli.serve(['--port', String(port), '--base-url', 'https://bench.lab.example', '--trusted-proxy', '127.0.0.1']);
  front = await startFront(dir, port, dir, change);
  const { port: frontPort } = front;
  const refused = new Set<TLSSocket>();
  for (let sent = 0; sent < slowPosts; sent += 100) {
    await Promise.all(
      Array.from({ length: 100 }, async () => {
        const socket = await open(frontPort, attacker);
        socket.once('data', () => refused.add(socket)).once('close', () => refused.add(socket));
        socket.write(
          'POST /oauth/token HTTP/1.1\r\nHost: bench.lab.example\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
        );
      }),
    );
  }
  expect(await Promise.all(Array.from({ length: 20 }, () => statusOf(frontPort, neighbour)))).toEqual(
    Array.from({ length: 20 }, () => 200),
  );
  await expect.poll(() => refused.size, { timeout: 30_000 }).toBeGreaterThanOrEqual(slowPosts - 250);
});
