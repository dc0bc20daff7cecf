import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import {
  toHttpRequestError,
  HttpRequestError,
} from '../../../../../src-main/service/fetching/engine/http/http-request-error.ts';
import { sendOnce, createHttpClient } from '../../../../../src-main/service/fetching/engine/http/http-client.ts';
import type { FetchSource } from '../../../../../src-main/service/fetching/engine/types.ts';
import { selfSigned } from '../../../../faults/self-signed.ts';

const servers: http.Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function listen(server: http.Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function serve(handler: http.RequestListener, prefix = ''): Promise<FetchSource> {
  return {
    baseUrl: `http://127.0.0.1:${await listen(http.createServer(handler))}${prefix}`,
    token: 'a-token',
    certificate: null,
  };
}

/** A server that sends the same response to every client, and then nothing. */
async function serveRaw(answer: string): Promise<FetchSource> {
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

async function failure(asked: Promise<unknown>): Promise<HttpRequestError> {
  const error: unknown = await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HttpRequestError);
  return error as HttpRequestError;
}

it('sends the token, asks for plain bytes below the base path and keeps the connection', async () => {
  const ports = new Set<number | undefined>();
  const source = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    response.end(
      JSON.stringify([
        request.url,
        request.headers.authorization,
        request.headers['accept-encoding'],
        request.headers['range'],
      ]),
    );
  }, '/lab/');
  const asker = createHttpClient(source, { connections: 1 });
  for (const range of ['bytes=0-1', 'bytes=2-3']) {
    const answer = await asker.send({ path: asker.below('/lab/a?b=1'), headers: { range } });
    expect(JSON.parse(await text(answer.body))).toEqual(['/lab/a?b=1', 'Bearer a-token', 'identity', range]);
  }
  expect(ports.size).toBe(1);
  asker.close();
});

it('follows redirects within the base path alone', async () => {
  const elsewhere = await serve((_request, response) => response.end('given away'));
  const targets: Record<string, string> = {
    '/lab/near': '/lab/end',
    '/lab/up': '/lab/../other',
    '/lab/hidden': '/lab/%2e%2e%2fother',
    '/lab/out': `${elsewhere.baseUrl}/lab/end`,
    '/lab/loop': '/lab/loop',
  };
  const source = await serve((request, response) => {
    const location = targets[request.url ?? ''];
    if (location === undefined) response.end('arrived');
    else response.writeHead(302, { location }).end();
  }, '/lab');
  const { body, url } = await sendOnce(source, { path: '/near' });
  expect([await text(body), url.pathname]).toEqual(['arrived', '/lab/end']);
  for (const one of ['/up', '/hidden', '/out', '/loop', '/../other'])
    expect((await failure(sendOnce(source, { path: one }))).reason, one).toBe('redirected');
});

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
    const { body, url } = await asker.send({ path: one });
    const error: unknown = await text(body).catch((thrown: unknown) => thrown);
    expect(toHttpRequestError(error, url).failure).toBe(expected);
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

it('trusts exactly the pinned certificate, and sends nothing before it has seen it', async () => {
  const { key, cert, sha256 } = selfSigned();
  let asked = 0;
  const server = https.createServer({ key, cert }, (_request, response) => {
    asked += 1;
    response.end('secret');
  });
  const source = {
    baseUrl: `https://127.0.0.1:${await listen(server)}`,
    token: 'a-token',
    certificate: sha256,
  };
  expect(await text((await sendOnce(source, { path: '/' })).body)).toBe('secret');
  expect(asked).toBe(1);
  for (const certificate of [null, 'ab'.repeat(32)])
    expect((await failure(sendOnce({ ...source, certificate }, { path: '/' }))).reason).toBe('certificate');
  expect(asked).toBe(1);
});
