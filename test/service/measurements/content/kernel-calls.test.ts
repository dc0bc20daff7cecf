import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  kernelCalls,
  kernelCallsWork,
  type KernelCalls,
} from '../../../../src-main/service/measurements/storage/kernel-calls.ts';
import { until } from '../../until.ts';

const here = kernelCalls();

test('this machine has the calls if it runs Linux', () => {
  expect(here !== null).toBe(process.platform === 'linux' && process.env['BENCHPORT_NO_KERNEL'] !== '1');
});

test.skipIf(!here)('L12: nothing beyond a buffer is read or written, whatever is requested', async () => {
  const target = Buffer.alloc(100, 1);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const descriptor = (Reflect.get(socket, '_handle') as { readonly fd: number }).fd;
  expect(here?.send(descriptor, target, 0, 100, false)).toBe(100);
  const opened = openSync(import.meta.filename, 'r');
  try {
    for (const [from, to] of [
      [0, 101],
      [-1, 10],
      [50, 40],
    ] as const)
      expect(here?.send(descriptor, target, from, to, false)).toBe(0);
    for (const [at, count] of [
      [0, 101],
      [90, 11],
      [-1, 5],
      [0, -1],
    ] as const) {
      expect(here?.readCached(opened, target, at, count, 0)).toBe(0);
      expect(target.equals(Buffer.alloc(100, 1))).toBe(true);
    }
  } finally {
    closeSync(opened);
    socket.destroy();
    server.close();
  }
});

describe.skipIf(!here)('kernel calls that misbehave are not used', () => {
  const real = here ?? ({} as KernelCalls);
  const wrong: readonly (readonly [string, Partial<KernelCalls>])[] = [
    ['a count that is not true', { send: (...args) => real.send(...args) - 1 }],
    [
      'other bytes of the file',
      { sendFile: (socket, from, position, count) => real.sendFile(socket, from, position + 1, count) },
    ],
    [
      'bytes that were not asked for',
      { readCached: (from, target, at, count, position) => real.readCached(from, target, at, count, position + 3) },
    ],
    ['nothing at all', { sendFile: () => 0 }],
  ];
  const sockets: Socket[] = [];
  let pair: readonly [number, number];
  const server = createServer({ pauseOnConnect: true }, (socket) => sockets.push(socket));

  beforeEach(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = connect({ port: (server.address() as AddressInfo).port });
    sockets.push(client);
    await until(() => sockets.length === 2 && !client.connecting, 'a connection');
    const [one = -1, other = -1] = sockets.map(
      (socket) => (socket as Socket & { readonly _handle: { readonly fd: number } })['_handle'].fd,
    );
    pair = [one, other];
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });

  test.each(wrong)('%s', (_what, calls) => {
    expect(kernelCallsWork({ ...real, ...calls }, pair)).toBe(false);
  });
  test('while correct ones are', () => {
    expect(kernelCallsWork(real, pair)).toBe(true);
  });
});
