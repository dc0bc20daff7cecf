import dgram from 'node:dgram';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './launch.ts';
import { recordOpened } from './outside.ts';

// Each number is a point of the Electron security checklist. `page.evaluate` acts as a malicious
// page, `app.evaluate` as the main process.

/** The response to the page for an address of its own scheme. */
function fetchStatus(page: Page, url: string, init: { method?: string } = {}): Promise<number> {
  return page.evaluate(({ target, options }) => fetch(target, options).then((response) => response.status), {
    target: url,
    options: init,
  });
}

test('E01 every window is sandboxed and isolated, without Node, webviews or experiments', async ({ launch }) => {
  const { app, page } = await launch({ parts: 'stub' });
  const preferences = await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Record<string, unknown>;
    };
    return contents.getLastWebPreferences();
  });
  expect(preferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
  });
  // Electron omits these two while they are off.
  expect(preferences['nodeIntegrationInWorker'] ?? false).toBe(false);
  expect(preferences['navigateOnDragDrop'] ?? false).toBe(false);
  expect(
    await page.evaluate(() =>
      ['require', 'process', 'module', 'Buffer', 'global'].filter((name) => name in globalThis),
    ),
  ).toEqual([]);
});

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

test('E08 the window cannot navigate elsewhere, opens no other window and attaches no guest', async ({ launch }) => {
  const { app, page } = await launch({ parts: 'stub' });
  await expect(page.locator('#state')).toHaveText(/^ready/);
  const opened = await recordOpened(app);
  // Runs through the main process: Playwright's evaluate would wait for navigations that never
  // happen.
  const inPage = (script: string) =>
    app.evaluate(
      ({ BrowserWindow }, code) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(code, true) as Promise<unknown>,
      script,
    );
  for (const url of [
    'https://example.com/',
    'file:///etc/hosts',
    'app://elsewhere/',
    'data:text/html,hello',
    'http://127.0.0.1:9/',
  ]) {
    await inPage(`location.href = ${JSON.stringify(url)}; 0`);
    await inPage('fetch("/page.js").then((response) => response.text())');
  }
  await inPage(
    'const form = Object.assign(document.createElement("form"), { action: "https://example.com/" }); document.body.append(form); form.submit(); 0',
  );
  await inPage('document.querySelector("#out").click(); 0');
  expect(await inPage('window.open("app://local/") === null')).toBe(true);
  await inPage(
    'document.body.append(Object.assign(document.createElement("webview"), { src: "https://example.com/" })); 0',
  );
  expect(await inPage('fetch("/page.js").then((response) => location.href)')).toBe('app://local/ui/');
  await expect.poll(opened).toEqual(['https://example.com/page']);
  expect(await app.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1);
});

test('E08 a page that empties itself is reloaded, and the empty one has no access', async ({ launch }) => {
  const { app, page } = await launch({ parts: 'stub' });
  await expect(page.locator('#state')).toHaveText(/^ready/);
  const empty = (script: string) =>
    app.evaluate(
      ({ BrowserWindow }, code) => void BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(code),
      script,
    );
  await page.evaluate(() => Object.assign(window, { isOld: true }));
  await empty('location.href = "about:blank#gone"; 0');
  await expect
    .poll(() => page.evaluate(() => [location.href, 'isOld' in window]).catch(() => []))
    .toEqual(['app://local/ui/', false]);
  await expect(page.locator('#state')).toHaveText(/^ready/);
});

test('E09 of many addresses that a page opens at once five are opened', async ({ launch }) => {
  const { app, page } = await launch({ parts: 'stub' });
  await expect(page.locator('#state')).toHaveText(/^ready/);
  const opened = await recordOpened(app);
  const refused = await page.evaluate(async () => {
    for (const n of [1, 2, 3, 4]) window.open(`https://example.com/${n}`);
    const { benchport } = window as unknown as { benchport: { openInBrowser(path: string): Promise<void> } };
    await benchport.openInBrowser('/api/docs');
    window.open('https://example.com/6');
    return benchport.openInBrowser('/api/docs').then(
      () => 'opened',
      (error: Error) => error.message,
    );
  });
  expect(refused).toContain('Too many pages were opened at once.');
  expect(await opened()).toEqual([
    ...[1, 2, 3, 4].map((n) => `https://example.com/${n}`),
    'http://127.0.0.1:7420/api/docs',
  ]);
});

test('E09 only https and mail addresses leave the application, and only without credentials', async ({ launch }) => {
  const { app, page } = await launch({ parts: 'stub' });
  const opened = await recordOpened(app);
  await page.evaluate(() => {
    const urls = [
      'http://example.com/',
      'https://user:word@example.com/',
      'file:///etc/hosts',
      'smb://server/share',
      'vscode://file/x',
      'javascript:alert(1)',
      'mailto:alice@example.com',
    ];
    for (const url of urls) window.open(url);
  });
  await expect.poll(opened).toEqual(['mailto:alice@example.com']);
});

test('E09 a page of the service is opened in the browser at the address of the service', async ({ launch }) => {
  const { app, page } = await launch({ parts: 'stub' });
  await expect(page.locator('#state')).toHaveText(/^ready/);
  const opened = await recordOpened(app);
  await page.evaluate(() =>
    (window as unknown as { benchport: { openInBrowser(path: string): Promise<void> } }).benchport.openInBrowser(
      '/api/docs',
    ),
  );
  expect(await opened()).toEqual(['http://127.0.0.1:7420/api/docs']);
});

test('E10 permissions, devices and capture are denied', async ({ launch }) => {
  const { page } = await launch({ parts: 'stub' });
  const answers = await page.evaluate(async () => {
    const outcome = (attempt: Promise<unknown>): Promise<string> =>
      attempt.then(
        () => 'granted',
        () => 'denied',
      );
    return {
      notifications: await Notification.requestPermission(),
      position: await outcome(
        new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(resolve, reject)),
      ),
      camera: await outcome(navigator.mediaDevices.getUserMedia({ video: true })),
      screen: await outcome(navigator.mediaDevices.getDisplayMedia()),
      reading: await outcome(navigator.clipboard.readText()),
      midi: await outcome(navigator.requestMIDIAccess({ sysex: true })),
    };
  });
  expect(answers).toEqual({
    notifications: 'denied',
    position: 'denied',
    camera: 'denied',
    screen: 'denied',
    reading: 'denied',
    midi: 'denied',
  });
});

test('E14 the launch secret is in no argument and no environment of another process', async ({ launch }) => {
  const { page } = await launch({ parts: 'stub' });
  await expect(page.locator('#state')).toHaveText(/^ready/);
  const { secret, pid } = await page.evaluate(async () => {
    const echo = await fetch('/api/echo').then((response) => response.json());
    return {
      secret: echo.headers['x-benchport-launch-secret'] as string,
      pid: (await fetch('/api/pid').then((response) => response.json())).pid as number,
    };
  });
  expect(secret).toHaveLength(64);
  for (const file of ['cmdline', 'environ'])
    expect(await fs.readFile(`/proc/${pid}/${file}`, 'utf8')).not.toContain(secret);
});

test('E20 the private socket is in a folder that only its owner may enter', async ({ launch }) => {
  const { page, folder } = await launch({ parts: 'stub' });
  await expect(page.locator('#state')).toHaveText(/^ready/);
  const names = (await fs.readdir(folder)).filter((name) => name.startsWith('benchport-'));
  expect(names).toHaveLength(1);
  const place = await fs.stat(path.join(folder, names[0] ?? ''));
  expect(place.mode & 0o777).toBe(0o700);
});

test('E24 reload and developer tools are not available', async ({ launch }) => {
  const { app } = await launch({ parts: 'stub' });
  const { roles, tools } = await app.evaluate(async ({ Menu, BrowserWindow }) => {
    const items = (menu: Electron.Menu | undefined | null): Electron.MenuItem[] =>
      menu?.items.flatMap((item) => [item, ...items(item.submenu)]) ?? [];
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    contents?.openDevTools();
    return {
      roles: items(Menu.getApplicationMenu()).map((item) => String(item.role).toLowerCase()),
      tools: contents?.isDevToolsOpened(),
    };
  });
  expect(roles.filter((role) => ['reload', 'forcereload', 'toggledevtools'].includes(role))).toEqual([]);
  expect(roles).toContain('quit');
  expect(tools).toBe(false);
});
