import http from 'node:http';
import { expect, it } from 'vitest';
import { createHttpClient, sendOnce, type ServerAccess } from '../../../src-main/service/http-client/http-client.ts';
import { failure, text, useServers } from './answering-servers.ts';

const { listen, serve } = useServers();

/** A server that sends the same response to every client, and then nothing. */
async function serveRaw(answer: string): Promise<ServerAccess> {
  const server = http.createServer();
  server.removeAllListeners('connection').on(
    'connection',
    (socket) =>
      void socket
        .resume()
        .on('error', () => {})
        .write(answer),
  );
  return { baseUrl: `http://127.0.0.1:${await listen(server)}`, token: 'a-token', certificate: null };
}

it('tells refusals apart', async () => {
  const source = await serve((request, response) => {
    const status = Number(request.url?.slice(1));
    response
      .writeHead(
        status,
        status === 503
          ? { 'retry-after': '7' }
          : status === 403
            ? { 'www-authenticate': 'Bearer error="insufficient_scope"' }
            : {},
      )
      .end();
  });
  const reasons = {
    401: 'token-refused',
    403: 'no-access',
    404: 'not-found',
    409: 'file-changed',
    421: 'unreachable',
    429: 'server-busy',
    500: 'server-failed',
  };
  for (const [status, reason] of Object.entries(reasons))
    expect(await failure(sendOnce(source, { path: `/${status}` }))).toMatchObject({ reason, status: Number(status) });
  expect((await failure(sendOnce(source, { path: '/403' }))).message).toContain('scopes');
  expect(await failure(sendOnce(source, { path: '/503' }))).toMatchObject({
    reason: 'server-busy',
    retryAfterMs: 7000,
  });
  // A date is one of the server's clock, which may be another one than ours.
  const late = await serveRaw(
    'HTTP/1.1 429 Later\r\nDate: Mon, 07 Sep 2020 08:00:00 GMT\r\nRetry-After: Mon, 07 Sep 2020 08:02:00 GMT\r\nContent-Length: 0\r\n\r\n',
  );
  expect(await failure(sendOnce(late, { path: '/' }))).toMatchObject({
    reason: 'server-busy',
    retryAfterMs: 120_000,
  });
  const other = await serveRaw('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n');
  expect(await failure(sendOnce(other, { path: '/' }))).toMatchObject({ reason: 'bad-answer', status: 101 });
});

it('tells failed connections, packed answers, silence and cut bodies apart', async () => {
  const source = await serve((request, response) => {
    if (request.url === '/packed') response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
    else if (request.url === '/cut')
      response.writeHead(200, { 'content-length': 10 }).write('x', () => response.destroy());
    else if (request.url === '/halting') response.writeHead(200, { 'content-length': 10 }).write('x');
  });
  const asker = createHttpClient(source, { connections: 2, timeouts: { connectMs: 1000, idleMs: 100 } });
  expect((await failure(asker.send({ path: '/packed' }))).failure).toBe('coded');
  expect((await failure(asker.send({ path: '/silent' }))).failure).toBe('timed-out');
  for (const [one, expected] of [
    ['/cut', 'disconnected'],
    ['/halting', 'timed-out'],
  ] as const) {
    expect((await failure(text(await asker.send({ path: one })))).failure).toBe(expected);
  }
  asker.close();
  expect((await failure(sendOnce({ ...source, baseUrl: 'http://no-such-host.invalid' }, { path: '/' }))).failure).toBe(
    'name-unknown',
  );
  expect((await failure(sendOnce({ ...source, baseUrl: 'http://127.0.0.1:1' }, { path: '/' }))).failure).toBe(
    'refused',
  );
  expect(
    (await failure(sendOnce({ ...source, baseUrl: source.baseUrl.replace('http', 'https') }, { path: '/' }))).failure,
  ).toBe('no-tls');
  const stopping = new AbortController();
  const asked = sendOnce(source, { path: '/silent', signal: stopping.signal });
  stopping.abort(new Error('told to stop'));
  await expect(asked).rejects.toThrow('told to stop');
});
