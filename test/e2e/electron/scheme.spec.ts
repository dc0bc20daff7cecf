import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';
import type { Page } from '@playwright/test';
import { expect, test } from './launch.ts';

// Each number is a point of the Electron security checklist. `page.evaluate` acts as a malicious
// page, `app.evaluate` as the main process.

/** The response to the page for an address of its own scheme. */
function fetchStatus(page: Page, url: string, init: { method?: string } = {}): Promise<number> {
  return page.evaluate(({ target, options }) => fetch(target, options).then((response) => response.status), {
    target: url,
    options: init,
  });
}

test('E03 the scheme serves the user interface and the service, and nothing else', async ({ launch }) => {
  const { page } = await launch({ parts: 'stub' });
  await expect(page.locator('#state')).toHaveText(/^ready/);
  expect(page.url()).toBe('app://local/ui/');
  expect(await page.evaluate(() => fetch('/page.js').then((response) => response.headers.get('content-type')))).toBe(
    'text/javascript; charset=utf-8',
  );
  expect(await fetchStatus(page, '/missing.js')).toBe(404);
  for (const pathname of [
    '/../../package.json',
    '/%2e%2e/%2e%2e/package.json',
    '/..%2f..%2fpackage.json',
    '/..%5c..%5cpackage.json',
    '/%00.js',
    '/%zz.js',
    '//etc/hosts.json',
  ]) {
    expect(await fetchStatus(page, `app://local${pathname}`), pathname).toBe(404);
  }
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect(await fetchStatus(page, '/page.js', { method }), method).toBe(405);
});

test('E03 another host of the scheme, and other schemes, cannot be reached', async ({ launch }) => {
  const { app, page } = await launch({ parts: 'stub' });
  for (const url of ['app://elsewhere/page.js', 'file:///etc/hosts', 'https://example.com/']) {
    expect(
      await page.evaluate(
        (target) =>
          fetch(target).then(
            (response) => response.status,
            () => 'refused',
          ),
        url,
      ),
      url,
    ).toBe('refused');
  }
  const foreignHost = await app.evaluate(({ session }) =>
    session.defaultSession.fetch('app://elsewhere/page.js').then((response) => response.status),
  );
  expect(foreignHost).toBe(404);
  const network = await app.evaluate(({ session }) =>
    session.defaultSession.fetch('http://127.0.0.1:9/').then(String, String),
  );
  expect(network).toContain('ERR_BLOCKED_BY_CLIENT');
});

test('E03 requests other than HTTP are refused: calls between browsers', async ({ launch }) => {
  const reached: string[] = [];
  const packets = dgram.createSocket('udp4', () => reached.push('packet'));
  const connections = net.createServer((socket) => {
    reached.push('connection');
    socket.on('error', () => {}).destroy();
  });
  packets.bind(0, '127.0.0.1');
  connections.listen(0, '127.0.0.1');
  await Promise.all([once(packets, 'listening'), once(connections, 'listening')]);
  try {
    const { page } = await launch({ parts: 'stub' });
    await expect(page.locator('#state')).toHaveText(/^ready/);
    const gathered = await page.evaluate(
      async ([udp, tcp]) => {
        const call = new RTCPeerConnection({
          iceServers: [
            { urls: `stun:127.0.0.1:${udp}` },
            { urls: `turn:127.0.0.1:${tcp}?transport=tcp`, username: 'secret', credential: 'word' },
          ],
        });
        call.createDataChannel('out');
        const done = new Promise<string>((resolve) => {
          call.addEventListener(
            'icegatheringstatechange',
            () => call.iceGatheringState === 'complete' && resolve('complete'),
          );
        });
        await call.setLocalDescription(await call.createOffer());
        return done;
      },
      [packets.address().port, (connections.address() as net.AddressInfo).port] as const,
    );
    expect([gathered, reached]).toEqual(['complete', []]);
  } finally {
    packets.close();
    connections.close();
  }
});

test('E03 requests for the service carry the launch secret, which the page never sees or sets', async ({ launch }) => {
  const { page } = await launch({ parts: 'stub' });
  await expect(page.locator('#state')).toHaveText(/^ready/);
  const { echo, returned } = await page.evaluate(async () => {
    const response = await fetch('/api/echo?a=1', {
      method: 'POST',
      headers: { 'x-benchport-launch-secret': 'guess', 'x-own': 'kept' },
      body: 'hello',
    });
    return { echo: await response.json(), returned: [...response.headers].flat().join(' ') };
  });
  expect(echo).toMatchObject({ method: 'POST', url: '/api/echo?a=1', body: 'hello' });
  const secret = echo.headers['x-benchport-launch-secret'];
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(echo.headers).toMatchObject({ host: 'localhost', 'x-own': 'kept' });
  expect(Object.keys(echo.headers)).not.toContain('origin');
  expect(Object.keys(echo.headers)).not.toContain('referer');
  expect(returned).not.toContain(secret);
});

test('E04 the policy of the page is a header, allows nothing inline and has no report address', async ({ launch }) => {
  const { page } = await launch({ parts: 'stub' });
  await expect(page.locator('#state')).toHaveText(/^ready/);
  const policy = await page.evaluate(() =>
    fetch('/').then((response) => response.headers.get('content-security-policy')),
  );
  for (const directive of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]) {
    expect(policy).toContain(directive);
  }
  expect(policy).not.toContain('unsafe');
  const violations = () => page.evaluate(() => (globalThis as unknown as { violations: string[] }).violations);
  expect(await violations()).toEqual([]);
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "run"';
    document.body.append(script);
    const style = document.createElement('style');
    style.textContent = 'body { color: red }';
    document.head.append(style);
    const frame = document.createElement('iframe');
    frame.src = 'app://local/';
    document.body.append(frame);
    void fetch('https://example.com/').catch(() => {});
  });
  await expect
    .poll(violations)
    .toEqual(expect.arrayContaining(['script-src-elem', 'style-src-elem', 'frame-src', 'connect-src']));
  expect(await page.title()).toBe('Stub');
});
