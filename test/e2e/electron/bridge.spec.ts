import os from 'node:os';
import path from 'node:path';
import type { ElectronApplication } from '@playwright/test';
import { dropPaths, expect, test } from './launch.ts';
import { recordOpened } from './outside.ts';

// Requests of the page to the main process. Numbers refer to the Electron security checklist.

test('E05 the page gets one frozen object of named functions', async ({ launch }) => {
  const { page } = await launch({ parts: 'stub' });
  const bridge = await page.evaluate(() => {
    const given = (window as unknown as { benchport: Record<string, unknown> }).benchport;
    const attempts = [() => Object.assign(given, { version: 'x' }), () => Object.assign(given, { extra: 1 })];
    for (const attempt of attempts) {
      try {
        attempt();
      } catch {
        // Assigning to a frozen object throws.
      }
    }
    return {
      names: Object.keys(given).toSorted(),
      frozen: Object.isFrozen(given),
      version: given['version'],
      inPage: 'ipcRenderer' in window,
    };
  });
  expect(bridge).toEqual({
    names: [
      'actOnUpdates',
      'chooseBackup',
      'chooseDataFolder',
      'chooseExportFolder',
      'chooseFetchFolder',
      'chooseFiles',
      'chooseFolders',
      'chooseNewBackup',
      'copySecret',
      'getDesktopSettings',
      'getUpdates',
      'onCommand',
      'onNavigate',
      'openInBrowser',
      'pathsOf',
      'platform',
      'setDesktopSettings',
      'setTheme',
      'showInFolder',
      'startDrag',
      'version',
    ],
    frozen: true,
    version: '9.8.7',
    inPage: false,
  });
});

test('E05 a menu command reaches the page as one word, until it stops listening', async ({ launch }) => {
  const { app, page } = await launch({ parts: 'stub' });
  await page.evaluate(() => {
    const heard: unknown[][] = [];
    const { benchport } = window as unknown as {
      benchport: { onCommand(listener: (...args: unknown[]) => void): () => void };
    };
    const stop = benchport.onCommand((...args) => heard.push(args));
    Object.assign(window, { heard, stop });
  });
  const click = () =>
    app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('register-folder')?.click());
  const heard = () => page.evaluate(() => (window as unknown as { heard: unknown[][] }).heard);
  await click();
  await expect.poll(heard).toEqual([['register-folder']]);
  await page.evaluate(() => (window as unknown as { stop(): void }).stop());
  await click();
  await page.evaluate(() => fetch('/api/pid'));
  expect(await heard()).toHaveLength(1);
});

test('E05 a deep link reaches the page as one word, until it stops listening', async ({ launch }) => {
  const { app, page } = await launch({ parts: 'stub' });
  await page.evaluate(() => {
    const heard: unknown[][] = [];
    const { benchport } = window as unknown as {
      benchport: { onNavigate(listener: (...args: unknown[]) => void): () => void };
    };
    const stop = benchport.onNavigate((...args) => heard.push(args));
    Object.assign(window, { heard, stop });
  });
  const send = (...words: unknown[]) =>
    app.evaluate(
      ({ BrowserWindow }, values) =>
        BrowserWindow.getAllWindows()[0]?.webContents.send('benchport:navigate', ...values),
      words,
    );
  const heard = () => page.evaluate(() => (window as unknown as { heard: unknown[][] }).heard);
  await send({ href: 'https://example.com/' });
  await send('/transfers', 'more');
  await expect.poll(heard).toEqual([['/transfers']]);
  await page.evaluate(() => (window as unknown as { stop(): void }).stop());
  await send('/tokens');
  await page.evaluate(() => fetch('/api/pid'));
  expect(await heard()).toHaveLength(1);
});

test('E06 a foreign page gets no response from the main process', async ({ launch }) => {
  const { app } = await launch({ parts: 'stub' });
  const preload = path.resolve(import.meta.dirname, '../../../out/preload/index.cjs');
  const answers = await app.evaluate(async ({ BrowserWindow }, preloadFile) => {
    const open = async (url: string): Promise<string[]> => {
      const window = new BrowserWindow({ show: false, webPreferences: { preload: preloadFile, sandbox: true } });
      await window.loadURL(url);
      const calls = [
        'showInFolder("/tmp")',
        'chooseFetchFolder()',
        'getDesktopSettings()',
        'setDesktopSettings({ startAtLogin: true })',
      ];
      const script = `Promise.all([${calls.map((call) => `benchport.${call}.then(() => "answered", (error) => error.message)`).join()}])`;
      const answer: string[] = await window.webContents.executeJavaScript(script);
      window.destroy();
      return answer;
    };
    return [await open('data:text/html,<p>foreign</p>'), await open('app://local/')];
  }, preload);
  expect(answers.flat()).toHaveLength(8);
  for (const answer of answers.flat()) expect(answer).toContain('This page is not allowed to do that.');
});

test('E07 arguments are checked in the main process, and the refusal reveals nothing of the machine', async ({
  launch,
}) => {
  const { app, page } = await launch({ parts: 'stub' });
  await expect(page.locator('#state')).toHaveText(/^ready/);
  const opened = await recordOpened(app);
  const refusals = await page.evaluate(async () => {
    const { benchport } = window as unknown as { benchport: Record<string, (value: unknown) => Promise<unknown>> };
    const calls: [string, unknown][] = [
      ['showInFolder', 'relative/path'],
      ['showInFolder', '//server/share'],
      ['showInFolder', '\\\\server\\share'],
      ['showInFolder', '/a\0b'],
      ['showInFolder', ['/tmp']],
      ['showInFolder', `/${'x'.repeat(5000)}`],
      ['showInFolder', undefined],
      ['openInBrowser', 'https://example.com/'],
      ['openInBrowser', '//example.com/'],
      ['openInBrowser', '/\\example.com/'],
      ['openInBrowser', { toString: 1 }],
      ['setTheme', 'blue'],
      ['setTheme', 7],
      ['copySecret', ''],
      ['copySecret', { text: 'bppat-1' }],
      ['setDesktopSettings', { startAtLogin: '/bin/sh' }],
      ['setDesktopSettings', { window: {} }],
    ];
    return Promise.all(
      calls.map(async ([name, value]) => {
        try {
          await benchport[name]?.(value);
          return `${name} accepted`;
        } catch (error) {
          return (error as Error).message;
        }
      }),
    );
  });
  expect(refusals).toHaveLength(17);
  for (const refusal of refusals) {
    expect(refusal).toMatch(/(This is not|There is no such page)/);
    expect(refusal).not.toContain(os.homedir());
    expect(refusal).not.toContain('.js');
  }
  expect(await opened()).toEqual([]);
});

test('E18 only files that the service staged can be dragged out', async ({ launch }) => {
  const { app, page, dataDir } = await launch({ parts: 'stub' });
  await expect(page.locator('#state')).toHaveText(/^ready/);
  const dragged = await recordDrags(app);
  const start = (file: string) =>
    page.evaluate(
      (target) => (window as unknown as { benchport: { startDrag(path: string): void } }).benchport.startDrag(target),
      file,
    );
  const stage = (id: string) =>
    page.evaluate(
      (name) =>
        fetch(`/api/v4/local/measurements/${name}/stage`, { method: 'POST', body: '{}' }).then((response) =>
          response.json(),
        ),
      id,
    );

  const ready = path.join(dataDir, 'staged.txt');
  const later = path.join(dataDir, 'staged-later.txt');
  await start(ready);
  await start('/etc/passwd');
  await stage('m1');
  await start(ready);
  await expect.poll(dragged).toEqual([ready]);
  await start(later);
  await stage('m2');
  await start(later);
  await expect.poll(dragged).toEqual([ready, later]);
});

test('E18 files dropped into the window count as chosen; files created by a script have no path', async ({
  launch,
}) => {
  const { page, folder } = await launch({ parts: 'stub' });
  await expect(page.locator('#state')).toHaveText(/^ready/);
  const register = (file: string) =>
    page.evaluate(
      async (chosen) =>
        (await fetch('/api/v4/local/registrations', { method: 'POST', body: JSON.stringify({ path: chosen }) })).status,
      file,
    );
  const named = await page.evaluate(() => {
    const { benchport } = window as unknown as { benchport: { pathsOf(files: File[]): string[] } };
    window.addEventListener('dragover', (event) => event.preventDefault());
    window.addEventListener('drop', (event) => {
      event.preventDefault();
      document.title = benchport.pathsOf([...(event.dataTransfer?.files ?? [])]).join();
    });
    return benchport.pathsOf([new File(['x'], '/etc/passwd')]);
  });
  expect(named).toEqual(['']);
  expect([await register('/etc/passwd'), await register(folder), await register('')]).toEqual([403, 403, 403]);
  await dropPaths(page, [folder], 200, 200);
  await expect(page).toHaveTitle(folder);
  // The stub of the service has no such route.
  expect(await register(folder)).toBe(404);
});

/** Records drags instead of starting them, which would wait for a pointer. */
async function recordDrags(app: ElectronApplication): Promise<() => Promise<string[]>> {
  await app.evaluate(({ BrowserWindow }) => {
    const dragged: string[] = [];
    Object.assign(globalThis, { dragged });
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (contents) {
      contents.startDrag = ({ file, icon }) => {
        if (!icon || typeof icon === 'string' || icon.isEmpty()) throw new Error('a drag needs a picture');
        dragged.push(file);
      };
    }
  });
  return () => app.evaluate(() => (globalThis as unknown as { dragged: string[] }).dragged);
}
