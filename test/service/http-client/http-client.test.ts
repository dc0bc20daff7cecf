import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { DownloadConnection } from '../../../src-main/service/http-client/download-connection.ts';
import { HttpRequestError } from '../../../src-main/service/http-client/http-request-error.ts';
import type { HttpResponse } from '../../../src-main/service/http-client/http-response.ts';
import { readText } from '../../../src-main/service/http-client/read-text.ts';
import { createHttpClient, sendOnce, type ServerAccess } from '../../../src-main/service/http-client/http-client.ts';
import { selfSigned } from '../../faults/self-signed.ts';

const servers: http.Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function listen(server: http.Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function serve(handler: http.RequestListener, prefix = ''): Promise<ServerAccess> {
  return {
    baseUrl: `http://127.0.0.1:${await listen(http.createServer(handler))}${prefix}`,
    token: 'a-token',
    certificate: null,
  };
}

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

async function text(response: HttpResponse): Promise<string> {
  return (await readText(response, 1000)) ?? 'too long';
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
    expect(JSON.parse(await text(answer))).toEqual(['/lab/a?b=1', 'Bearer a-token', 'identity', range]);
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
  const near = await sendOnce(source, { path: '/near' });
  expect([await text(near), near.url.pathname]).toEqual(['arrived', '/lab/end']);
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
  expect(await text(await sendOnce(source, { path: '/' }))).toBe('secret');
  expect(asked).toBe(1);
  for (const certificate of [null, 'ab'.repeat(32)])
    expect((await failure(sendOnce({ ...source, certificate }, { path: '/' }))).reason).toBe('certificate');
  expect(asked).toBe(1);
});

it('reads no more of a text than asked for', async () => {
  let closed = false;
  const source = await serve((_request, response) => {
    response.on('close', () => (closed = true)).write('x'.repeat(11));
  });
  const client = createHttpClient(source, { connections: 1 });
  expect(await readText(await client.send({ path: '/' }), 10)).toBeNull();
  await expect.poll(() => closed).toBe(true);
  const whole = await serve((_request, response) => response.end('ü'.repeat(5)));
  expect(await readText(await sendOnce(whole, { path: '/' }), 10)).toBe('ü'.repeat(5));
});

it('sends a body, and takes an own accept for the usual one', async () => {
  const source = await serve((request, response) => {
    void request.setEncoding('utf8').on('data', (body) => {
      response.end(JSON.stringify([request.method, body, request.rawHeaders.filter((name) => /^accept$/i.test(name))]));
    });
  });
  const request = { method: 'PUT', path: '/', body: 'hello', headers: { accept: 'application/json' } } as const;
  expect(await text(await sendOnce(source, request))).toBe(JSON.stringify(['PUT', 'hello', ['accept']]));
  const raw = createHttpClient(source, { connections: 1 }).rawRequest(request)?.text ?? '';
  expect(raw.match(/^accept: .*$/gm)).toEqual(['accept: application/json']);
});

it('looks names up as it is told, whatever sends the request', async () => {
  const { key, cert, sha256 } = selfSigned();
  const plain = await listen(http.createServer((_request, response) => response.end('plain')));
  const secure = await listen(https.createServer({ key, cert }, (_request, response) => response.end('pinned')));
  const here: LookupFunction = (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);
  const nowhere: LookupFunction = (_name, _options, done) =>
    done(Object.assign(new Error('forbidden'), { code: 'ENOTFOUND' }), '');
  const signal = AbortSignal.timeout(5000);
  for (const [url, certificate, body] of [
    [`http://lab.invalid:${plain}`, null, 'plain'],
    [`https://lab.invalid:${secure}`, sha256, 'pinned'],
  ] as const) {
    const server = { baseUrl: url, token: null, certificate };
    expect(await text(await sendOnce(server, { path: '/' }, { lookup: here }))).toBe(body);
    const local = { ...server, baseUrl: url.replace('lab.invalid', 'localhost') };
    const client = createHttpClient(local, { connections: 1, lookup: nowhere });
    const connection = new DownloadConnection(client, () => false);
    expect((await failure(client.send({ path: '/' }))).failure).toBe('name-unknown');
    expect((await failure(connection.send({ path: '/', signal }))).failure).toBe('name-unknown');
    connection.close();
    client.close();
  }
});

it('refuses a redirect like any status when it may follow none', async () => {
  const source = await serve((_request, response) => response.writeHead(302, { location: '/near' }).end());
  expect(await failure(sendOnce(source, { path: '/' }, { maxRedirects: 0 }))).toMatchObject({
    failure: 'status',
    status: 302,
    headers: { location: '/near' },
  });
});

it('names a token that no header can carry', async () => {
  const source = await serve((_request, response) => response.end());
  expect(await failure(sendOnce({ ...source, token: 'a\nb' }, { path: '/' }))).toMatchObject({
    failure: 'token-unusable',
    reason: 'token-refused',
  });
});
