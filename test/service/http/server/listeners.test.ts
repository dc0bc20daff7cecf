import type { Server } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createListener } from '../../../../src-main/service/http/server/listener.ts';
import { withinDescriptors } from '../../../../src-main/service/http/server/descriptor-limit.ts';
import {
  defaultListenerLimits,
  type ListenerLimits,
} from '../../../../src-main/service/http/server/listener-limits.ts';
import { mayBeStrict } from '../../../../src-main/service/http/server/strict-transport.ts';
import { watchConnections } from '../../../../src-main/service/http/server/watch-connections.ts';
import { RawClient } from '../../raw-client.ts';
import { until } from '../../until.ts';
import { startTestService, type TestService } from '../../start.ts';
import { refusedIn, sayInClear, tlsHello } from '../../network/say-in-clear.ts';

const health = (url: string) => fetch(`${url}/-/health`).then(({ status }) => status);

describe('a listener', () => {
  let server: Server;
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function openListener(limits: Partial<ListenerLimits>, isOwn: boolean): Promise<string> {
    const all = { ...defaultListenerLimits, ...limits };
    server = createListener(null, all, (request, response) => {
      // Sent in chunks, as real responses are.
      const piece = Buffer.alloc(64 * 1024);
      let left = request.url === '/small' ? 1 : 100_000;
      const next = () => {
        left -= 1;
        if (left > 0) response.write(piece, next);
        else response.end(piece);
      };
      next();
    });
    watchConnections(server, all, () => isOwn);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }
  const held = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));

  test.each([
    ['closes what one address holds too many of', { maxPerAddress: 3 }, false, 3],
    ['lets this machine and proxies hold more', { maxPerAddress: 3 }, true, 6],
    ['lets go of the oldest that ask for nothing before it is full', { maxConnections: 4 }, true, 3],
  ])('%s', async (_what, limits, isOwn, kept) => {
    const url = await openListener(limits, isOwn);
    const clients = await Promise.all(Array.from({ length: 6 }, () => RawClient.open(url)));
    const refused = () => clients.filter(({ socket }) => socket.destroyed).length;
    await until(async () => refused() === 6 - kept && (await held()) === kept, 'the rest is closed');
    clients.forEach(({ socket }) => socket.destroy());
    await until(async () => (await held()) === 0, 'there is room again');
    expect((await fetch(`${url}/small`)).status).toBe(200);
  });

  test('L14: answers a client while others hold all its connections with half a head', async () => {
    const url = await openListener({ maxConnections: 32 }, true);
    const silent = await Promise.all(Array.from({ length: 60 }, () => RawClient.open(url)));
    for (const { socket } of silent) socket.write('GET / HTTP/1.1\r\nX: ');
    const busy = await RawClient.open(url);
    busy.get('/');
    await busy.until(1);
    busy.pause();
    for (let asked = 0; asked < 40; asked += 1) {
      const client = await RawClient.open(url);
      client.get('/small');
      await client.until(1);
      expect(client.status).toBe(200);
    }
    expect(busy.socket.destroyed).toBe(false);
    [...silent, busy].forEach(({ socket }) => socket.destroy());
  });

  test.each([
    [256, 1, 96],
    [256, 1 / 3, 32],
    [64, 1, 16],
    [1_000_000, 1, 2000],
    [null, 1, 2000],
  ])('L14: with %s descriptors, a share of %d has %i connections', (descriptors, share, connections) => {
    expect(withinDescriptors(defaultListenerLimits, descriptors, share).maxConnections).toBe(connections);
  });

  test('disconnects a client that receives nothing, but not one that receives slowly', async () => {
    const url = await openListener({ writeTimeoutMs: 600, sweepEveryMs: 50 }, true);
    const [stuck, slow] = [await RawClient.open(url), await RawClient.open(url)];
    for (const client of [stuck, slow]) {
      client.get('/');
      await client.until(1);
      client.pause();
    }
    await until(async () => {
      const before = slow.received;
      slow.resume();
      await slow.until(before + 128 * 1024);
      slow.pause();
      return (await held()) === 1;
    }, 'one is let go');
    const before = slow.received;
    slow.resume();
    await slow.until(before + 8 * 1024 * 1024);
    expect(slow.socket.destroyed).toBe(false);
    await stuck.drain();
    expect(stuck.received).toBeLessThan(slow.received);
    slow.socket.destroy();
  });
});

describe('the public listener', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ listenerLimits: { maxPerAddress: 2 } });
  });
  afterAll(() => service.end());

  test('answers others beside five hundred clients that send a byte at a time', async () => {
    const slow = await Promise.all(Array.from({ length: 500 }, () => RawClient.open(service.url)));
    for (const { socket } of slow) socket.write('GET / HTTP/1.1\r\nX: ');
    const drip = setInterval(() => {
      for (const { socket } of slow) socket.write('x');
    }, 1000);
    expect(await Promise.all(Array.from({ length: 20 }, () => health(service.url)))).toEqual(
      Array.from({ length: 20 }, () => 200),
    );
    expect(slow.filter(({ socket, received }) => !socket.destroyed && received === 0)).toHaveLength(500);
    clearInterval(drip);
    slow.forEach(({ socket }) => socket.destroy());
  });

  test.each([
    [100, 200],
    [101, 431],
  ])('%i headers are answered with %i', async (count, status) => {
    const client = await RawClient.open(service.url);
    // One header is `Host`, another `Connection`.
    client.get('/-/health', 'Connection: close', ...Array.from({ length: count - 2 }, (_, i) => `X-${i}: 1`));
    await client.closed;
    expect(client.status).toBe(status);
  });

  test.each([
    ['address', `/${'a'.repeat(17_000)}`, 'X: 1'],
    ['header', '/-/health', `X: ${'a'.repeat(17_000)}`],
  ])('an %s that is too long is refused', async (_what, at, header) => {
    const client = await RawClient.open(service.url);
    client.get(at, header);
    await client.closed;
    expect(client.status).toBe(431);
  });
});

test('plain HTTP on a TLS port, and TLS on a plain one, get an explanation and are disconnected', async () => {
  for (const tls of [{ kind: 'self-signed' }, null] as const) {
    const service = await startTestService({ tls });
    try {
      for (const text of tls
        ? ['GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', 'DELETE /x HTTP/1.1\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\n\r\n']
        : [tlsHello]) {
        expect(await sayInClear(service.url, text)).toMatch(
          refusedIn(tls ? 'This port speaks HTTPS' : 'This port speaks plain HTTP'),
        );
      }
      if (!tls) await expect(fetch(service.url.replace('http:', 'https:'))).rejects.toThrow();
    } finally {
      await service.end();
    }
  }
});

test.each<[baseUrl: string | null, selfSigned: boolean | null, strict: boolean]>([
  ['https://bench.lab.example', null, true],
  ['https://bench.lab.example/lab', false, true],
  ['https://bench.lab.example', true, false],
  ['https://bench.lab.example:7420', false, false],
  ['http://bench.lab.example', null, false],
  ['https://192.0.2.7', false, false],
  ['https://[2001:db8::7]', false, false],
  ['https://localhost', false, false],
  ['https://bench.localhost', false, false],
  [null, false, false],
])(
  'at %j with a self-signed certificate: %j, browsers are told to use HTTPS only: %j',
  (baseUrl, selfSigned, strict) => {
    expect(mayBeStrict(baseUrl, selfSigned === null ? null : { selfSigned })).toBe(strict);
  },
);

test('pages are sent with Strict-Transport-Security', async () => {
  for (const [baseUrl, value] of [
    ['https://bench.lab.example', 'max-age=15552000'],
    [null, null],
  ] as const) {
    const service = await startTestService({ baseUrl });
    const at = baseUrl === null ? service.url : `http://127.0.0.1:${service.port}`;
    try {
      expect((await fetch(`${at}/users/sign_in`)).headers.get('strict-transport-security')).toBe(value);
    } finally {
      await service.end();
    }
  }
});
