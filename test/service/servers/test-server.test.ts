import http from 'node:http';
import https from 'node:https';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RemoteServer, ShownCertificate } from '../../../src-main/service/contract/servers.ts';
import { makeSelfSigned } from '../../../src-main/service/http/server/self-signed.ts';
import { testServer } from '../../../src-main/service/servers/test-server.ts';
import { asWindow } from '../as-window.ts';
import { useTestService } from '../use-service.ts';

/** A service and another Benchport. */
const service = useTestService();
let tokens: { readonly list: string; readonly download: string; readonly small: string; readonly expired: string };
const open: Server[] = [];

beforeAll(async () => {
  // The owner of the window.
  await service.user('alice', true);
  const bob = await service.user('bob');
  tokens = {
    list: await service.token(bob, ['read_api']),
    download: await service.token(bob, ['read_measurement']),
    small: await service.token(bob, ['read_user']),
    expired: await service.token(bob, ['read_api'], Date.now() - 1000),
  };
});
afterAll(() => {
  for (const server of open) server.close();
});

async function listen(server: Server): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function answering(handler: http.RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(http.createServer(handler))}`;
}

const result = async (baseUrl: string, token: string | null = 'a-token', certificate: string | null = null) =>
  testServer({ baseUrl, token, certificate });
const found = (problem: string, message: RegExp): object => ({
  state: 'failed',
  problem,
  message: expect.stringMatching(message) as string,
  lists: null,
  username: null,
});

test('another Benchport: with its list, and the name of its user if the token reaches it', async () => {
  expect(await result(service.url, tokens.list)).toEqual({
    state: 'ok',
    problem: null,
    message: null,
    lists: true,
    username: 'bob',
  });
  expect(await result(service.url, tokens.download)).toEqual({
    state: 'ok',
    problem: null,
    message: null,
    lists: true,
    username: null,
  });
  expect(await result(service.url, tokens.small)).toEqual(
    found('scope-too-small', /scopes read_measurement, read_api or api/),
  );
  expect(await result(service.url, tokens.expired)).toEqual(
    found('token-refused', /does not accept the token \(401\)/),
  );
  expect(await result(service.url, 'nonsense')).toEqual(found('token-refused', /wrong, expired or revoked/));
  expect(await result(service.url, null)).toEqual(found('token-missing', /asks for a token\. Create one there/));
  expect(await result(`${service.url}/prefix`, tokens.list)).toEqual(
    found('not-a-measurement-server', /Check the address, and the path/),
  );
  // The whole route, and the row that it writes.
  const added = await asWindow(service, 'POST', '/api/v4/local/servers', { base_url: service.url, token: tokens.list });
  const { id } = added.body as RemoteServer;
  const tested = await asWindow(service, 'POST', `/api/v4/local/servers/${id}/test`, {});
  expect(tested.body).toMatchObject({
    id,
    state: 'ok',
    lists: true,
    username: 'bob',
    checked_at: expect.any(String) as string,
  });
  expect((await asWindow(service, 'GET', `/api/v4/local/servers/${id}`)).body).toEqual(tested.body);
});

/** A server like the original data manager: a bare 403 for a missing token, plain text, no list. */
const original =
  (valid: string): http.RequestListener =>
  (request, response) => {
    if (request.headers.authorization !== `Bearer ${valid}`) response.writeHead(403).end();
    else if (/^\/measurements\/[A-Za-z0-9-]+\/files$/.test(request.url ?? ''))
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\tNo such measurement');
    else response.writeHead(403).end();
  };

test('the original server, which has no list', async () => {
  const url = await answering(original('right'));
  expect(await result(url, 'right')).toEqual({
    state: 'ok',
    problem: null,
    message: null,
    lists: false,
    username: null,
  });
  expect(await result(url, 'wrong')).toEqual(found('token-refused', /does not accept the token \(403\)/));
  expect(await result(url, null)).toEqual(found('token-missing', /asks for a token/));
});

test('an HTTP server that is no Benchport', async () => {
  const none = found('not-a-measurement-server', /not like a measurement server/);
  expect(
    await result(await answering((_request, response) => response.writeHead(404).end('404 page not found'))),
  ).toEqual(none);
  expect(await result(await answering((_request, response) => response.end('<!doctype html>')))).toEqual(none);
  expect(await result(await answering((_request, response) => response.end('[{"id":1}]')))).toEqual(none);
  expect(
    await result(
      await answering((_request, response) => response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()),
    ),
  ).toEqual(none);
  expect(await result(await answering((_request, response) => response.writeHead(400).end()))).toEqual(none);
  const telnet = `http://127.0.0.1:${await listen(createServer((socket) => socket.on('error', () => {}).end('login: ')))}`;
  expect(await result(telnet)).toMatchObject({ problem: 'not-a-measurement-server' });
  const endless = await answering((_request, response) => {
    response.on('error', () => {});
    const more = (): void => void (response.destroyed || response.write('['.repeat(65_536), more));
    more();
  });
  expect(await result(endless)).toEqual(none);
});

test('each reason for an unreachable server', async () => {
  const busy = await answering((_request, response) => response.writeHead(503, { 'retry-after': '60' }).end());
  expect(await result(busy)).toEqual(found('server-failed', /is busy \(503\)/));
  const broken = await answering((_request, response) => response.writeHead(500).end());
  expect(await result(broken)).toEqual(found('server-failed', /failed \(500\)/));
  const misdirected = await answering((_request, response) => response.writeHead(421).end());
  expect(await result(misdirected)).toEqual(found('wrong-host', /does not answer to this name \(421\)/));
  const moved = await answering((_request, response) =>
    response.writeHead(301, { location: 'https://new.example/' }).end(),
  );
  expect(await result(moved)).toEqual(found('address-unusable', /redirects to https:\/\/new\.example/));
  expect(await result('http://benchport-test.invalid')).toEqual(
    found('name-unknown', /No host named benchport-test\.invalid/),
  );
  const closed = createServer();
  const port = await listen(closed);
  await new Promise((resolve) => closed.close(resolve));
  expect(await result(`http://127.0.0.1:${port}`)).toEqual(found('refused', /refuses connections/));
  const silent = await listen(createServer((socket) => socket.on('error', () => {})));
  const impatient = { connectMs: 300, idleMs: 300 };
  expect(
    await testServer({ baseUrl: `http://127.0.0.1:${silent}`, token: null, certificate: null }, impatient),
  ).toEqual(found('timed-out', /did not respond in time/));
  const hanging = await listen(
    createServer((socket) => socket.on('error', () => {}).once('data', () => socket.destroy())),
  );
  expect(await result(`http://127.0.0.1:${hanging}`)).toEqual(found('unreachable', /begin the address with https/));
  expect(await result(service.url.replace('http:', 'https:'))).toEqual(found('no-tls', /begin the address with http:/));
});

test('a certificate: reported with its fingerprint, shown, trusted, and replaced', async () => {
  const { key, cert } = await makeSelfSigned(['127.0.0.1', 'localhost'], Date.now());
  const sha256 = new X509Certificate(cert).fingerprint256;
  const grouped = (sha256.replaceAll(':', '').toLowerCase().match(/.{4}/g) ?? []).join(' ');
  const pin = sha256.replaceAll(':', '').toLowerCase();
  const url = `https://127.0.0.1:${await listen(https.createServer({ key, cert }, original('right')))}`;
  expect(await result(url, 'right')).toEqual(
    found('certificate', new RegExp(`is not trusted.*Its SHA-256 fingerprint is ${grouped}\\.`)),
  );
  const shown = await asWindow(service, 'POST', '/api/v4/local/servers/certificate', { base_url: url });
  expect(shown.body).toEqual({
    sha256: pin,
    subject: 'Benchport',
    valid_to: expect.stringMatching(/Z$/) as string,
  } satisfies ShownCertificate);
  expect(await result(url, 'right', pin)).toMatchObject({ state: 'ok', lists: false });
  expect(await result(url, 'right', 'ab'.repeat(32))).toEqual(
    found('certificate', /a different certificate than the trusted one/),
  );
  const plain = await asWindow(service, 'POST', '/api/v4/local/servers/certificate', { base_url: service.url });
  expect(plain.body).toMatchObject({ status: 502, type: 'urn:benchport:problem:remote-no-tls' });
  const noTls = await asWindow(service, 'POST', '/api/v4/local/servers/certificate', {
    base_url: service.url.replace('http:', 'https:'),
  });
  expect(noTls.body).toMatchObject({ status: 502, type: 'urn:benchport:problem:remote-no-tls' });
});
