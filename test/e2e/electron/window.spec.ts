import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { dropPaths, expect, prepareLaunch, start, test } from './launch.ts';
import { isRunning, ready, servicePid } from './service-process.ts';

test('the window opens and reaches the service', async ({ launch }) => {
  const { app, page } = await launch({ parts: 'stub' });
  await expect(page.locator('#state')).toHaveText(ready);
  expect(
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isVisible())),
  ).toEqual([true]);
});

test('a page of the user interface can be loaded at the address of its screen', async ({ launch }) => {
  const { app, page } = await launch({ parts: 'stub' });
  await page.goto('app://local/ui/measurements/m1');
  await expect(page.locator('#state')).toHaveText(ready);
  for (const place of ['', 'measurements/m1', 'users/sign_in', 'index.html']) {
    await page.goto(`app://local/${place}`);
    expect(page.url()).toBe('app://local/ui/');
    await expect(page.locator('#state')).toHaveText(ready);
  }
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test('responses of the service stream, and aborting them reaches the service', async ({ launch }) => {
  const { page, dataDir } = await launch({ parts: 'stub' });
  await servicePid(page);
  const event = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const source = new EventSource('/api/events');
        source.addEventListener('changed', (message) => {
          resolve({ data: message.data, id: message.lastEventId });
          source.close();
        });
      }),
  );
  expect(event).toEqual({ data: '{"n":1}', id: '7' });
  await page.evaluate(async () => {
    const leave = new AbortController();
    const response = await fetch('/api/endless', { signal: leave.signal });
    await response.body?.getReader().read();
    leave.abort();
  });
  expect(
    await page.evaluate(() => fetch('/api/nothing', { method: 'DELETE' }).then((response) => response.status)),
  ).toBe(204);
  await expect.poll(async () => (await fs.readdir(dataDir)).toSorted()).toEqual(['endless-closed', 'events-closed']);
});

test('a large body is sent to the service completely', async ({ launch }) => {
  const { page } = await launch({ parts: 'stub' });
  await servicePid(page);
  const length = await page.evaluate(() =>
    fetch('/api/echo', { method: 'PUT', body: new Blob(['x'.repeat(5_000_000)]) })
      .then((response) => response.json())
      .then((echo) => echo.body.length),
  );
  expect(length).toBe(5_000_000);
});

test('a killed service is started again and the window recovers', async ({ launch }) => {
  const { page } = await launch({ parts: 'stub' });
  const first = await servicePid(page);
  process.kill(first, 'SIGKILL');
  await expect(page.locator('#state')).not.toHaveText(`ready ${first}`);
  const second = await servicePid(page);
  expect(second).not.toBe(first);
  expect(await isRunning(first)).toBe(false);
});

test('a service that ends during a response becomes a problem that the page can read', async ({ launch }) => {
  const { page } = await launch({ parts: 'stub' });
  await servicePid(page);
  const problem = await page.evaluate(() =>
    fetch('/api/crash').then(async (response) => ({ status: response.status, type: (await response.json()).type })),
  );
  expect(problem).toEqual({ status: 502, type: 'urn:benchport:problem:service-unreachable' });
  await servicePid(page);
});

test('a service that cannot start says why in a message box and can be retried', async ({ launch }) => {
  const { app, page, dataDir } = await launch({ parts: 'stub' });
  const first = await servicePid(page);
  await app.evaluate(({ dialog }) => {
    const shown: unknown[] = [];
    Object.assign(globalThis, { shown });
    dialog.showMessageBox = (async (options: { detail: string; buttons: string[] }) => {
      shown.push([options.detail, options.buttons]);
      await new Promise((resolve) => Object.assign(globalThis, { press: resolve }));
      return { response: 0, checkboxChecked: false };
    }) as unknown as typeof dialog.showMessageBox;
  });
  await fs.writeFile(
    path.join(dataDir, 'arrange.json'),
    JSON.stringify({ failure: 'The disk is full. Free some space.' }),
  );
  process.kill(first, 'SIGKILL');
  const shown = () => app.evaluate(() => (globalThis as unknown as { shown: unknown[] }).shown);
  await expect.poll(shown).toEqual([['The disk is full. Free some space.', ['Try again', 'Quit']]]);
  const problem = await page.evaluate(() =>
    fetch('/api/pid').then(async (response) => ({ status: response.status, detail: (await response.json()).detail })),
  );
  expect(problem).toEqual({ status: 503, detail: 'The disk is full. Free some space.' });

  await fs.rm(path.join(dataDir, 'arrange.json'));
  await app.evaluate(() => (globalThis as unknown as { press(): void }).press());
  expect(await servicePid(page)).not.toBe(first);
});

test('with --exit-on-failure a service that cannot start ends the application with a status', async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'bp-e2e-'));
  try {
    const { executablePath, args, cwd, env } = await prepareLaunch(folder, {
      parts: 'stub',
      args: ['--exit-on-failure'],
      arrange: (dataDir) =>
        fs.writeFile(path.join(dataDir, 'arrange.json'), JSON.stringify({ failure: 'This data directory is in use.' })),
    });
    const child = spawn(executablePath, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      errors += text;
    });
    const [status] = await once(child, 'close');
    expect(status).toBe(1);
    expect(errors).toContain('The service could not start: This data directory is in use.');
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
});

test('dropped files and folders have their paths', async ({ launch }) => {
  const { page, folder } = await launch({ parts: 'stub' });
  await servicePid(page);
  const files = [path.join(folder, 'one.dat'), path.join(folder, 'Größe 2.dat'), path.join(folder, 'run')];
  for (const file of files.slice(0, 2)) await fs.writeFile(file, 'x');
  await fs.mkdir(files[2] ?? '');
  const place = await page.locator('#drop').boundingBox();
  await dropPaths(page, files, (place?.x ?? 0) + 5, (place?.y ?? 0) + 5);
  await expect(page.locator('#drop')).toHaveText(files.join('\n'), { useInnerText: true });
});

test('the dialogs return the selection, and nothing when they are cancelled', async ({ launch }) => {
  const { app, page } = await launch({ parts: 'stub' });
  const choose = async (filePaths: string[]): Promise<unknown> => {
    await app.evaluate(({ dialog }, paths) => {
      dialog.showOpenDialog = async () => ({ canceled: paths.length === 0, filePaths: paths });
    }, filePaths);
    return page.evaluate(async () => {
      const { benchport } = window as unknown as { benchport: Record<string, () => Promise<unknown>> };
      return Promise.all(
        ['chooseFolders', 'chooseFiles', 'chooseExportFolder'].map(async (name) => benchport[name]?.()),
      );
    });
  };
  expect(await choose(['/a', '/b'])).toEqual([['/a', '/b'], ['/a', '/b'], '/a']);
  expect(await choose([])).toEqual([[], [], null]);
});

test('the theme and the position of the window are remembered', async ({ launch }) => {
  const { app, page, command, folder } = await launch({ parts: 'stub' });
  await page.evaluate(() =>
    (window as unknown as { benchport: { setTheme(theme: string): Promise<void> } }).benchport.setTheme('dark'),
  );
  expect(await app.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors)).toBe(true);
  const bounds = { x: 40, y: 60, width: 900, height: 700 };
  await app.evaluate(({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.setBounds(wanted), bounds);
  await app.close();
  expect(JSON.parse(await fs.readFile(path.join(folder, 'user/settings.json'), 'utf8'))).toEqual({
    theme: 'dark',
    window: { bounds, maximized: false },
  });

  const again = await start(command);
  try {
    await again.firstWindow();
    expect(
      await again.evaluate(({ nativeTheme, BrowserWindow }) => [
        nativeTheme.themeSource,
        BrowserWindow.getAllWindows()[0]?.getNormalBounds(),
      ]),
    ).toEqual(['dark', bounds]);
  } finally {
    await again.close();
  }
});

test('E17 a second start focuses the first window, and its arguments do nothing', async ({ launch }) => {
  const { app, page, command } = await launch({ parts: 'stub' });
  const pid = await servicePid(page);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
  const second = spawn(
    command.executablePath,
    [...command.args, 'benchport://measurements/remove?id=m1', '/etc/passwd'],
    {
      cwd: command.cwd,
      env: command.env,
      stdio: 'ignore',
    },
  );
  const [status] = await once(second, 'exit');
  expect(status).toBe(0);
  await expect
    .poll(() =>
      app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map((window) => window.isVisible() && !window.isMinimized()),
      ),
    )
    .toEqual([true]);
  expect(page.url()).toBe('app://local/ui/');
  expect(await servicePid(page)).toBe(pid);
});
