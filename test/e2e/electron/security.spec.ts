import fs from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from './launch.ts';
import { recordOpened } from './outside.ts';

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
