import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { checkConnection, externalWorld, failed, modern } from './external-world.ts';
import type { ApiAnswer } from '../project-fixture.ts';
import { startDouble } from './sentry-double.ts';

const world = externalWorld();

const check = async (host: string, sentToken?: string) => checkConnection(world.service, host, 'maintainer', sentToken);
const kindOf = ({ body }: ApiAnswer) => (body as { readonly type?: string }).type;

// Metadata addresses of Alibaba Cloud, Azure and Oracle Cloud Classic, then of Google Cloud, Oracle
// Cloud and Scaleway over IPv6, one of them by NAT64.
const metadataAddresses = [
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '[fd20:ce::254]',
  '[fd00:c1::a9fe:a9fe]',
  '[fd00:42::42]',
  '[64:ff9b::6464:64c8]',
];

describe('each failure has its own reason', () => {
  test('an unknown host name', async () => {
    expect(await check('https://no-such-host.invalid')).toMatchObject(
      failed('name-not-found', /No host named no-such-host\.invalid/),
    );
  });

  test.each([
    '169.254.169.254',
    '169.254.169.254:80/latest',
    '[fe80::1]',
    '[::ffff:169.254.169.254]',
    '2852039166',
    '[fd00:ec2::254]',
    ...metadataAddresses,
  ])('L11: a link-local or metadata address, %s, to which no request is sent', async (host) => {
    expect(await check(`http://${host}`)).toMatchObject(failed('unreachable', /metadata service/));
  });

  test('a closed port', async () => {
    const { origin } = world.sentry;
    await world.sentry.end();
    expect(await check(origin)).toMatchObject(failed('refused', /refuses connections/));
    world.sentry = await startDouble();
  });

  test('an untrusted certificate, and TLS where the server speaks none', async () => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-tls-'));
    const [key, cert] = [path.join(dir, 'key.pem'), path.join(dir, 'cert.pem')];
    await promisify(execFile)('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=127.0.0.1',
      '-keyout',
      key,
      '-out',
      cert,
    ]);
    const files = { key: await readFile(key), cert: await readFile(cert) };
    const secure = await startDouble((listener) => createServer(files, listener));
    try {
      secure.answer = modern;
      expect(await check(secure.origin)).toMatchObject(failed('tls', /not trusted.*NODE_EXTRA_CA_CERTS/));
      expect(secure.seen).toEqual([]);
      expect(await check(world.sentry.origin.replace('http:', 'https:'))).toMatchObject(
        failed('tls', /does not answer with TLS/),
      );
      expect((await check(secure.origin.replace('https:', 'http:'))).status).toBe(400);
    } finally {
      await secure.end();
      await rm(dir, { recursive: true });
    }
  });

  test('no response in time, also one that never ends', async () => {
    const dripping: NodeJS.Timeout[] = [];
    world.elsewhere.answer = (_one, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      dripping.push(setInterval(() => response.write(' '), 200));
    };
    world.sentry.answer = () => undefined;
    const begun = Date.now();
    const [silent, slow] = await Promise.all([check(world.sentry.origin), check(world.elsewhere.origin)]);
    dripping.forEach(clearInterval);
    expect(silent).toMatchObject(failed('timeout', /did not respond in time/));
    expect(slow).toMatchObject(failed('timeout', /did not respond in time/));
    expect(Date.now() - begun).toBeLessThan(15_000);
  });

  test.each([
    [401, 'token-refused', /does not accept the auth token/],
    [403, 'forbidden', /project:read, event:read and event:write/],
    [404, 'not-sentry', /does not answer like Sentry/],
    [429, 'limited', /429/],
    [500, 'status', /status 500/],
    [204, 'not-sentry', /does not answer like Sentry/],
  ] as const)('the status %i', async (status, kind, words) => {
    world.sentry.answer = (_one, response) =>
      void response.writeHead(status, { 'content-type': 'text/html' }).end(status === 204 ? undefined : '<p>No</p>');
    expect(await check(world.sentry.origin)).toMatchObject(failed(kind, words));
  });

  test.each([
    ['a page', '<!doctype html><title>Welcome</title>'],
    ['another JSON', '{"hello":"world"}'],
    ['a list of other things', '[{"name":"x"}, 3, null]'],
    ['nothing', ''],
    ['half a list', '[{"id":"1"'],
  ])('%s is reported as no Sentry', async (_what, text) => {
    world.sentry.answer = (_one, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    const answer = await check(world.sentry.origin);
    expect(answer).toMatchObject(failed('not-sentry', /does not answer like Sentry/));
    expect(JSON.stringify(answer.body)).not.toContain('Welcome');
  });

  test('a redirect, which is never followed', async () => {
    world.elsewhere.answer = modern;
    for (const [status, location] of [
      [301, `${world.elsewhere.origin}/api/0/organizations/`],
      [302, '/login'],
      [307, `${world.elsewhere.origin}/`],
      [308, 'http://['],
    ] as const) {
      world.sentry.answer = (_one, response) => void response.writeHead(status, { location }).end();
      const answer = await check(world.sentry.origin);
      expect(answer).toMatchObject(failed('redirect', /not followed/));
    }
    expect(world.elsewhere.seen).toEqual([]);
    expect(world.sentry.seen.length).toBe(4);
  });

  test('a response of more than 1 MiB, which is not read to its end', async () => {
    let stopped = false;
    world.sentry.answer = (_one, response) => {
      const piece = Buffer.alloc(65_536, 0x20);
      response.writeHead(200, { 'content-type': 'application/json' }).on('close', () => {
        stopped = true;
      });
      const pour = (): void => {
        while (!response.destroyed) if (!response.write(piece)) return void response.once('drain', pour);
      };
      pour();
    };
    expect(await check(world.sentry.origin)).toMatchObject(failed('too-large', /more than 1 MiB/));
    await expect.poll(() => stopped).toBe(true);
  });

  test.each([
    ['something else than a web server', 'SSH-2.0-OpenSSH_9.6\r\n', 'not-sentry', /does not answer like Sentry/],
    ['one that hangs up', null, 'disconnected', /closed the connection/],
  ] as const)('%s', async (_what, greeting, kind, words) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined);
      if (greeting === null) socket.destroy();
      else socket.end(greeting);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    expect(await check(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}`)).toMatchObject(
      failed(kind, words),
    );
    server.close();
  });

  test.each([
    '',
    'http://user:password@sentry.example',
    'ftp://sentry.example',
    'http://',
    'https://sentry.example/?x=1',
    `https://${'x'.repeat(300)}`,
  ])('the address %j', async (host) => expect((await check(host)).status).toBe(400));

  test('a malformed token', async () => {
    for (const wrong of ['a b', 'a\r\nx-evil: 1', 'ü'])
      expect(kindOf(await check(world.sentry.origin, wrong))).toBe('urn:benchport:problem:external-token-refused');
    expect(world.sentry.seen).toEqual([]);
  });
});
