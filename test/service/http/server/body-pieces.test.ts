import net from 'node:net';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { chunkCounter } from '../../../../src-main/service/http/server/chunk-limit.ts';
import { useTestService } from '../../use-service.ts';

const service = useTestService();

// Endpoints that accept a body without an account.
it.each([
  ['/api/v4/setup?code=CODE', 'application/json'],
  ['/oauth/token', 'application/json'],
  ['/api/v4/error_tracking/collector/api/1/envelope/', 'application/x-sentry-envelope'],
])('a body for %s in chunks of one byte is refused', async (address, type) => {
  const socket = net.connect(service.port, '127.0.0.1');
  const asked = address.replace('CODE', String(service.setupCode));
  // The server resets the connection before the whole body is sent.
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  socket.resume();
  socket.write(
    `POST ${asked} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`,
  );
  socket.write('1\r\n \r\n'.repeat(2000));
  await closed;
  expect((await fetch(`${service.url}/-/health`)).status).toBe(200);
});

it('a small body in words, or a large one in the smallest packets, is accepted', () => {
  const words = chunkCounter();
  for (let word = 0; word < 1000; word += 1) expect(words(1)).toBe(true);
  const packets = chunkCounter();
  for (let packet = 0; packet < 50_000; packet += 1) if (!packets(536)) expect.fail(`packet ${packet} was too many`);
});
