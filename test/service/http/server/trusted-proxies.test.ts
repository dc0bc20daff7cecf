import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { trustedProxies } from '../../../../src-main/service/http/server/trusted-proxies.ts';
import { browserAt } from '../../browser.ts';
import { asWindow } from '../../as-window.ts';
import { addMeasurement, openBeside } from '../../fixture-measurement.ts';
import { until } from '../../until.ts';
import { startTestService, type TestService } from '../../start.ts';

function asked(from: string, headers: Record<string, string>, rest: object = {}): IncomingMessage {
  return { socket: { remoteAddress: from }, headers, ...rest } as unknown as IncomingMessage;
}

describe('the address of the client', () => {
  test.each<[why: string, trusted: string[], from: string, forwardedFor: string, client: string]>([
    ['nobody is trusted', [], '10.0.0.2', '1.2.3.4', '10.0.0.2'],
    ['a stranger claims to pass on', ['10.0.0.2'], '10.0.0.3', '1.2.3.4', '10.0.0.3'],
    ['the proxy says who', ['10.0.0.2'], '10.0.0.2', '1.2.3.4', '1.2.3.4'],
    ['the proxy says nothing', ['10.0.0.2'], '10.0.0.2', '', '10.0.0.2'],
    ['the client has put an entry in front', ['10.0.0.2'], '10.0.0.2', '127.0.0.1, 1.2.3.4', '1.2.3.4'],
    ['the client has put a trusted one in front', ['10.0.0.2'], '10.0.0.2', '9.9.9.9,10.0.0.2 , 1.2.3.4', '1.2.3.4'],
    ['two proxies in a row', ['10.0.0.0/24'], '10.0.0.2', '9.9.9.9, 1.2.3.4, 10.0.0.77', '1.2.3.4'],
    ['all are proxies', ['10.0.0.0/24'], '10.0.0.2', '10.0.0.9, 10.0.0.77', '10.0.0.9'],
    ['just outside of the network', ['10.0.0.0/25'], '10.0.0.129', '1.2.3.4', '10.0.0.129'],
    ['a port', ['10.0.0.2'], '10.0.0.2', '1.2.3.4:5678', '1.2.3.4'],
    ['IPv6', ['::1'], '::1', '2001:DB8:0:0::7', '2001:db8::7'],
    ['IPv6 in brackets with a port', ['fd00::/8'], 'fd12::1', '[2001:db8::7]:443', '2001:db8::7'],
    ['IPv4 of a socket for both', ['10.0.0.2'], '::ffff:10.0.0.2', '::ffff:1.2.3.4', '1.2.3.4'],
    ['the other way to write it', ['10.0.0.2'], '::ffff:10.0.0.2', '::FFFF:0102:0304', '1.2.3.4'],
    ['garbage', ['10.0.0.2'], '10.0.0.2', 'unknown', '10.0.0.2'],
    ['garbage behind a proxy', ['10.0.0.0/24'], '10.0.0.2', '1.2.3.4, <script>, 10.0.0.3', '10.0.0.3'],
    ['garbage further left', ['10.0.0.2'], '10.0.0.2', "'; DROP TABLE, 1.2.3.4", '1.2.3.4'],
    ['nearly an address', ['10.0.0.2'], '10.0.0.2', '1.2.3.4.5', '10.0.0.2'],
    ['numbers too large', ['10.0.0.2'], '10.0.0.2', '1.2.3.400:80', '10.0.0.2'],
    ['a name', ['10.0.0.2'], '10.0.0.2', 'localhost', '10.0.0.2'],
    ['empty entries', ['10.0.0.2'], '10.0.0.2', '1.2.3.4,,', '10.0.0.2'],
    ['commas alone', ['10.0.0.2'], '10.0.0.2', ',,,,', '10.0.0.2'],
  ])('%s', (_why, trusted, from, forwardedFor, client) => {
    const headers = {
      ...(forwardedFor === '' ? {} : { 'x-forwarded-for': forwardedFor }),
      forwarded: 'for=6.6.6.6',
      'x-real-ip': '6.6.6.6',
    };
    expect(trustedProxies(trusted).clientOf(asked(from, headers))).toBe(client);
  });

  test('is undefined over the private listener', () => {
    const request = asked(
      '10.0.0.2',
      { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'https' },
      { viaPrivateSocket: true },
    );
    const proxies = trustedProxies(['10.0.0.2']);
    expect([proxies.clientOf(request), proxies.protocolOf(request), proxies.sent(request)]).toEqual([
      undefined,
      'http',
      false,
    ]);
  });

  test.each([
    'localhost',
    '10.0.0',
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '',
    'fe80::1%eth0',
  ])('%j cannot be trusted', (text) => {
    expect(() => trustedProxies([text])).toThrow('neither an address nor a network');
  });
});

describe.each([
  { trusted: ['127.0.0.1'], seen: '198.51.100.7' },
  { trusted: ['192.0.2.1'], seen: '127.0.0.1' },
])('with $trusted trusted, a request from 127.0.0.1', ({ trusted, seen }) => {
  let service: TestService;
  let token: string;
  const headers = {
    'x-forwarded-for': '203.0.113.9, 198.51.100.7',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'evil.example',
  };
  beforeAll(async () => {
    service = await startTestService({ trustedProxies: trusted });
    const alice = await service.user('alice', true);
    await service.services.users.setPassword(alice, await service.services.passwords.hash('a grating of 600 lines'));
    token = await service.token(alice, ['api']);
    await addMeasurement(service, alice, 'm', [{ path: 'a', bytes: Buffer.alloc(100_000, 1) }]);
  });
  afterAll(() => service.end());

  test('is recorded in the history of downloads, also for small ranges', async () => {
    const authorization = `Bearer ${token}`;
    for (const range of ['bytes=0-99999', 'bytes=0-9', 'bytes=0-9']) {
      expect(
        (await fetch(`${service.url}/measurements/m/files/0`, { headers: { ...headers, authorization, range } }))
          .status,
      ).toBe(206);
    }
    const database = openBeside(service);
    const rows = database.prepare<[], { address: string; requests: number }>(
      'SELECT address, requests FROM transfers ORDER BY bytes_sent DESC',
    );
    // The two small ones share a row.
    await until(() => rows.all().reduce((sum, { requests }) => sum + requests, 0) === 3, 'three requests');
    expect(rows.all().map(({ address }) => address)).toEqual(rows.all().map(() => seen));
    database.close();
  });

  test('is the one whose attempts are limited', async () => {
    const attempt = async (forwardedFor: string) =>
      (
        await fetch(`${service.url}/api/v4/setup?code=wrong`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': forwardedFor },
          body: JSON.stringify({ username: 'mallory', name: 'M', password: 'a grating of 600 lines' }),
        })
      ).status;
    for (let i = 0; i < 20; i += 1) expect(await attempt(`203.0.113.${i}, 198.51.100.7`)).not.toBe(429);
    expect(await attempt('203.0.113.99, 198.51.100.7')).toBe(429);
    expect(await attempt('198.51.100.8')).toBe(seen === '127.0.0.1' ? 429 : 409);
  });

  test('has HTTPS-only cookies when the proxy speaks HTTPS, and signs in from there', async () => {
    const behind = (url: string, init: RequestInit) => {
      const all = new Headers(init.headers);
      for (const [name, value] of Object.entries(headers)) all.set(name, value);
      return fetch(url, { ...init, headers: all });
    };
    const browser = browserAt(service, behind);
    const signedIn = await browser.signIn('alice', 'a grating of 600 lines');
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/ui/']);
    const session = signedIn.headers.getSetCookie().find((cookie) => cookie.includes('benchport_session=')) ?? '';
    expect([session.startsWith('__Host-'), session.includes('Secure')]).toEqual(
      seen === '127.0.0.1' ? [false, false] : [true, true],
    );
    const { rows } = await service.services.auditList.page(
      { userId: null, action: 'user.sign-in', from: 0, before: Number.MAX_SAFE_INTEGER },
      1,
      0,
    );
    expect(rows.map(({ address }) => address)).toEqual([seen]);
    const document = await browser.get('/.well-known/openid-configuration');
    expect(await document.text()).not.toContain('evil.example');
  });

  test('is unknown over the private listener, which no proxy uses', async () => {
    expect((await asWindow(service, 'GET', '/api/v4/service')).status).toBe(200);
  });
});
