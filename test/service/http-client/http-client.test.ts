import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { expect, it } from 'vitest';
import { DownloadConnection } from '../../../src-main/service/http-client/download-connection.ts';
import { readText } from '../../../src-main/service/http-client/read-text.ts';
import { createHttpClient, sendOnce } from '../../../src-main/service/http-client/http-client.ts';
import { selfSigned } from '../../faults/self-signed.ts';
import { failure, text, useServers } from './answering-servers.ts';

const { serve, listen } = useServers();

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
