import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addMeasurement } from '../../fixture-measurement.ts';
import { RawClient } from '../../raw-client.ts';
import { zeros } from '../../zeros.ts';
import { startTestService, type TestService } from '../../start.ts';

describe('clients that are too slow', () => {
  const big = 64 * 1024 * 1024;
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await startTestService({
      listenerLimits: { headTimeoutMs: 1000, requestTimeoutMs: 1600, sweepEveryMs: 50 },
    });
    const alice = await service.user('alice');
    token = await service.token(alice, ['api']);
    await addMeasurement(service, alice, 'm', [await zeros(service, 'm', 'z.bin', big)]);
  });
  afterAll(() => service.end());

  test.concurrent('L7: and send no request behind a running one are disconnected without bytes that would precede its response', async ({
    expect: expectHere,
  }) => {
    const client = await RawClient.open(service.url);
    client.socket.write('GET /-/readiness HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nno request\r\n\r\n');
    await client.closed;
    expectHere(client.text).not.toContain('400');
  });

  const post = 'POST /oauth/token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';

  // All at once, because each waits for the timeout.
  test.concurrent.for([
    ['say nothing', ''],
    ['never end their head', 'GET /-/health HTTP/1.1\r\nHost: 127.0.0.1\r\n'],
    ['never end their body', `${post}Content-Length: 100\r\n\r\n{`],
    ['never end their pieces', `${post}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`],
  ] as const)('and %s are told so and let go', async ([, text], { expect: expectHere }) => {
    const client = await RawClient.open(service.url);
    client.socket.write(text);
    await client.closed;
    expectHere([client.status, client.text]).toEqual([
      408,
      expect.stringContaining('The request took too long to arrive.'),
    ]);
  });

  test.concurrent('and are receiving a response are disconnected without bytes, which would become part of the response', async ({
    expect: expectHere,
  }) => {
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(
      `GET /measurements/m/files/0 HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Length: 5\r\n\r\n`,
    );
    let [received, first, last] = [0, '', ''];
    // Slow enough to be running at the request timeout: one buffer at a time.
    while (!socket.destroyed) {
      const part = socket.read() as Buffer | null;
      if (part) {
        received += part.length;
        if (first === '') first = part.toString('latin1', 0, 20);
        last = part.toString('latin1').slice(-1000);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expectHere([first, last.includes('408')]).toEqual(['HTTP/1.1 200 OK\r\nETa', false]);
    expectHere(received).toBeLessThan(big);
  });
});
