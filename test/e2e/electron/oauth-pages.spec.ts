import type { ElectronApplication } from '@playwright/test';
import { expect, test } from './launch.ts';

// Sign-in and consent happen in the user's own browser. Each number is a point of the OAuth
// security checklist.

/** Records URLs instead of opening them. */
async function recordOpened(app: ElectronApplication): Promise<() => Promise<string[]>> {
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (url) => {
      opened.push(url);
    };
  });
  return () => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened);
}

/**
 * Runs a script in the page through the main process: Playwright's evaluate would wait for
 * navigations that never happen.
 */
function inPage(app: ElectronApplication, script: string): Promise<unknown> {
  return app.evaluate(
    ({ BrowserWindow }, code) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(code, true) as Promise<unknown>,
    script,
  );
}

test("S109 pages of the OAuth provider open in the system's browser, never in the window", async ({ launch }) => {
  const { app, page } = await launch({ parts: 'stub' });
  await expect(page.locator('#state')).toHaveText(/^ready/);
  const opened = await recordOpened(app);
  await inPage(app, 'location.href = "/oauth/authorize?client_id=1&state=a%20b"; 0');
  await expect.poll(opened).toEqual(['http://127.0.0.1:7420/oauth/authorize?client_id=1&state=a%20b']);
  await inPage(app, 'location.assign("/users/sign_in?return_to=%2Fui%2Faccount"); 0');
  await expect.poll(opened).toHaveLength(2);
  await inPage(
    app,
    'window.open("/oauth/device"); window.open("http://127.0.0.1:7420/oauth/authorized_applications"); 0',
  );
  await expect
    .poll(opened)
    .toEqual([
      expect.stringContaining('/oauth/authorize?'),
      'http://127.0.0.1:7420/users/sign_in?return_to=%2Fui%2Faccount',
      'http://127.0.0.1:7420/oauth/device',
      'http://127.0.0.1:7420/oauth/authorized_applications',
    ]);
  expect(await inPage(app, 'fetch("/page.js").then((response) => location.href)')).toBe('app://local/ui/');
  expect(await app.evaluate(({ webContents }) => webContents.getAllWebContents().length)).toBe(1);
});

test("S109 the window's scheme serves none of those pages", async ({ launch }) => {
  const { app, page } = await launch({ parts: 'stub' });
  await expect(page.locator('#state')).toHaveText(/^ready/);
  for (const pathname of ['/oauth/authorize', '/oauth/token', '/oauth/device', '/.well-known/openid-configuration']) {
    expect(await page.evaluate((target) => fetch(target).then((response) => response.status), pathname), pathname).toBe(
      404,
    );
  }
  // A document request bypasses the navigation guard of pages.
  const shown = await app.evaluate(async ({ BrowserWindow }) => {
    const window = new BrowserWindow({ show: false, webPreferences: { sandbox: true } });
    const at: string[] = [];
    for (const pathname of ['/oauth/authorize', '/users/sign_in']) {
      await window.loadURL(`app://local${pathname}`).catch(() => undefined);
      at.push(window.webContents.getURL());
    }
    window.destroy();
    return at;
  });
  for (const url of shown) expect(url).not.toMatch(/oauth|sign_in/);
});

test('S109 a foreign page gets none of the powers of the preload script', async ({ launch }) => {
  const { app } = await launch({ parts: 'stub' });
  const preferences = await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Record<string, unknown>;
    };
    return contents.getLastWebPreferences();
  });
  expect(preferences).toMatchObject({
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    contextIsolation: true,
    sandbox: true,
  });
  const frames = await inPage(
    app,
    `(() => {
      const frame = Object.assign(document.createElement('iframe'), { src: '/oauth/authorize' });
      document.body.append(frame);
      const look = () => {
        try {
          return typeof frame.contentWindow.benchport;
        } catch (error) {
          return error.name;
        }
      };
      // Before the navigation the frame is an empty page of ours, without any powers either.
      return new Promise((resolve) => {
        const wait = (tries) => (look() === 'undefined' && tries > 0 ? setTimeout(wait, 50, tries - 1) : resolve(look()));
        wait(100);
      });
    })()`,
  );
  // The policy has put an error page with an opaque origin into the frame.
  expect(frames).toBe('SecurityError');
});

test('S110 a response to a private-use scheme is not passed to the shell, nor is any other forbidden address', async ({
  launch,
}) => {
  const { app, page } = await launch({ parts: 'stub' });
  await expect(page.locator('#state')).toHaveText(/^ready/);
  const opened = await recordOpened(app);
  const addresses = [
    'com.example.app:/callback?code=1',
    'com.example.app://callback?code=1',
    'vscode://gitlab/callback',
    'http://127.0.0.1:7421/callback?code=1',
    'http://localhost:7420/oauth/authorize',
    'http://alice:word@127.0.0.1:7420/oauth/authorize',
    'app://elsewhere/oauth/authorize',
  ];
  for (const address of addresses) {
    await inPage(app, `window.open(${JSON.stringify(address)}); location.href = ${JSON.stringify(address)}; 0`);
    await inPage(app, 'fetch("/page.js").then((response) => response.text())');
  }
  // The only request, after all others were decided.
  await inPage(app, 'window.open("/oauth/device"); 0');
  await expect.poll(opened).toEqual(['http://127.0.0.1:7420/oauth/device']);
  expect(await inPage(app, 'location.href')).toBe('app://local/ui/');
  const asked = await page.evaluate(async (targets) => {
    const { benchport } = window as unknown as { benchport: { openInBrowser(path: string): Promise<void> } };
    return Promise.all(
      targets.map((target) =>
        benchport.openInBrowser(target).then(
          () => 'opened',
          () => 'refused',
        ),
      ),
    );
  }, addresses);
  expect(new Set(asked)).toEqual(new Set(['refused']));
});
