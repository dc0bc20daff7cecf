import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { aFetch } from '../../shell/a-fetch.ts';
import { expect, quit, test, type LaunchCommand, type Launched, type LaunchRequest } from './launch.ts';
import { answer, hideWindow, isVisible, noteOutside } from './outside.ts';

// The parts of the desktop that work without a page. The stand-in for the service sends what a test
// tells it to.

const settingsOf = (folder: string): Promise<Record<string, unknown>> =>
  fs.readFile(path.join(folder, 'user/settings.json'), 'utf8').then(
    (text) => JSON.parse(text) as Record<string, unknown>,
    () => ({}),
  );

/** Lets the stub send something, once the main process listens. */
async function say(page: Page, name: string, data: unknown): Promise<void> {
  const listeners = (): Promise<number> =>
    page.evaluate(async (body) => {
      const response = await fetch('/api/say', { method: 'POST', body });
      return response.ok ? ((await response.json()) as { listeners: number }).listeners : 0;
    }, JSON.stringify({ name, data }));
  await expect.poll(listeners).toBeGreaterThan(0);
}

const closeWindow = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());

/** The part of the bridge used here. */
interface Bridge {
  readonly benchport: {
    setDesktopSettings(change: object): Promise<object>;
    onNavigate(listener: (route: string) => void): () => void;
  };
}

const changeSettings = (page: Page, change: object): Promise<object> =>
  page.evaluate((wanted) => (window as unknown as Bridge).benchport.setDesktopSettings(wanted), change);

/** Subscribes to deep links, as the user interface does. */
async function noteRoutes(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const went: string[] = [];
    Object.assign(window, { went });
    (window as unknown as Bridge).benchport.onNavigate((route) => went.push(route));
  });
  return () => page.evaluate(() => (window as unknown as { went: string[] }).went);
}

/** Makes a folder with files beside those of the application; it is removed after the test. */
async function withFolder(act: (folder: string) => Promise<void>): Promise<void> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'bp-desktop-'));
  try {
    await act(folder);
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

/** Starts the application a second time, as a desktop does for a link. */
async function startAgain(command: LaunchCommand, ...more: string[]): Promise<void> {
  const second = spawn(command.executablePath, [...command.args, ...more], {
    cwd: command.cwd,
    env: command.env,
    stdio: 'ignore',
  });
  expect(await once(second, 'exit')).toEqual([0, null]);
}

const stub: LaunchRequest = { parts: 'stub' };

test('fetches are shown in the taskbar, keep the computer awake if wanted, and notify when the window is not in front', async ({
  launch,
}) => {
  const { app, page } = await launch(stub);
  const notes = await noteOutside(app);
  await expect.poll(() => isVisible(app)).toBe(true);
  await changeSettings(page, { keepAwake: true });
  await hideWindow(app);
  await say(page, 'fetch', aFetch(7, { bytes_done: 250 }));
  await expect.poll(async () => (await notes())['bar']?.at(-1)).toEqual([0.25, 'normal']);
  expect((await notes())['awake']).toEqual(['prevent-app-suspension']);

  await say(
    page,
    'fetch',
    aFetch(7, { state: 'failed', message: 'The disk is full.', ended_at: new Date().toISOString() }),
  );
  await expect.poll(async () => (await notes())['bar']?.at(-1)).toEqual([1, 'error']);
  expect((await notes())['awake']).toEqual(['prevent-app-suspension', 'stop']);
  await expect.poll(async () => (await notes())['notices']).toEqual([['A fetch failed', 'run-7: The disk is full.']]);

  const went = await noteRoutes(page);
  await app.evaluate(() => (globalThis as unknown as { lastNotice: NodeJS.EventEmitter }).lastNotice.emit('click'));
  await expect.poll(went).toEqual(['/transfers/7']);
  // Focusing the window marks failures as seen.
  expect(await isVisible(app)).toBe(true);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.emit('focus'));
  await expect.poll(async () => (await notes())['bar']?.at(-1)).toEqual([-1, 'normal']);

  await hideWindow(app);
  await changeSettings(page, { notifications: { error: false } });
  await say(page, 'new-error', { project_id: 1, project_path: 'beam', error_id: '3', title: 'TypeError', kind: 'new' });
  await say(page, 'fetch', aFetch(8, { state: 'done', ended_at: new Date().toISOString() }));
  await expect
    .poll(async () => (await notes())['notices']?.slice(1))
    .toEqual([['Fetched and verified', 'run-8, from lab']]);
});

test('quitting during a fetch asks, with Cancel as default; the end of the session does not', async ({ launch }) => {
  const { app, page } = await launch(stub);
  const notes = await noteOutside(app);
  await say(page, 'fetch', aFetch(1));
  await expect.poll(async () => (await notes())['bar']?.length).toBeGreaterThan(0);
  const asked = ['Quit while a fetch is under way?', ['Quit', 'Cancel'], 1, 1];
  await quit(app);
  await expect.poll(async () => (await notes())['asked']).toEqual([asked]);
  // Without a tray closing the window quits too, and asks.
  await closeWindow(app);
  await expect.poll(async () => (await notes())['asked']).toEqual([asked, asked]);
  expect(await isVisible(app)).toBe(true);

  const main = app.process();
  const exited = once(main, 'exit');
  process.kill(main.pid ?? 0, 'SIGTERM');
  expect(await exited).toEqual([0, null]);
});

test('the first closing during a fetch asks once; then the window is in the tray and can be reopened from it', async ({
  launch,
}) => {
  await withFolder(async (programs) => {
    // Simulates a desktop with tray icons, as far as an application can tell.
    await fs.writeFile(path.join(programs, 'dbus-send'), '#!/bin/sh\necho "   variant       boolean true"\n', {
      mode: 0o755,
    });
    await useTray(await launch({ ...stub, env: { PATH: `${programs}:${process.env['PATH']}` } }));
  });
});

async function useTray({ app, page, folder, dataDir, command }: Launched): Promise<void> {
  const notes = await noteOutside(app);
  await say(page, 'fetch', aFetch(1, { bytes_done: 100 }));
  await say(page, 'incoming', { down_bytes_per_second: 1024, running: 1, seconds_left: 30 });
  await expect
    .poll(async () => (await notes())['tooltips']?.at(-1))
    .toBe('Benchport\nFetching 1, 1.0 KiB/s, 30 s left');
  expect((await notes())['menus']?.at(-1)).toEqual([
    ['Open Benchport', true, false],
    ['Pause all', true, false],
    ['Resume all', false, false],
    ['Share on the local network', true, false],
    ['Quit', true, false],
  ]);

  await answer(app, 2, 0);
  await closeWindow(app);
  await expect.poll(async () => (await notes())['asked']?.length).toBe(1);
  expect(await isVisible(app)).toBe(true);
  await closeWindow(app);
  await expect.poll(() => isVisible(app)).toBe(false);
  expect(await settingsOf(folder)).toMatchObject({ closeToTray: true });

  const click = (label: string) =>
    app.evaluate(
      (_electron, text) =>
        (globalThis as unknown as { lastMenu: Electron.Menu }).lastMenu.items
          .find((item) => item.label === text)
          ?.click(),
      label,
    );
  await click('Pause all');
  await expect
    .poll(() => fs.readFile(path.join(dataDir, 'actions'), 'utf8').catch(() => ''))
    .toBe('{"action":"pause","ids":"all"}\n');
  await click('Share on the local network');
  await say(page, 'changed', { topic: 'sharing' });
  await expect
    .poll(async () => (await notes())['menus']?.at(-1))
    .toContainEqual(['Share on the local network', true, true]);
  await click('Open Benchport');
  await expect.poll(() => isVisible(app)).toBe(true);
  await closeWindow(app);
  await expect.poll(() => isVisible(app)).toBe(false);
  expect((await notes())['asked']).toHaveLength(2);

  // E17: a link shows the window and a screen; a link with an action does nothing.
  const went = await noteRoutes(page);
  await startAgain(command, 'benchport://measurements/qmr-2026-114');
  await startAgain(command, 'benchport://transfers/1?action=cancel');
  await expect.poll(() => isVisible(app)).toBe(true);
  expect(await went()).toEqual(['/measurements/qmr-2026-114']);
  // With no fetch left, quitting asks nothing.
  await say(page, 'fetch', aFetch(1, { state: 'cancelled', ended_at: new Date().toISOString() }));
}

test('a start by a link shows its screen once the page listens; starting with the session is a file', async ({
  launch,
}) => {
  await withFolder(async (config) => {
    const link = 'benchport://servers?add=https%3A%2F%2Flab.example';
    await startWithSession(config, await launch({ ...stub, args: [link], env: { XDG_CONFIG_HOME: config } }));
  });
});

async function startWithSession(config: string, { page, dataDir }: Launched): Promise<void> {
  const went = await noteRoutes(page);
  await expect.poll(went).toEqual(['/servers?add=https%3A%2F%2Flab.example%2F']);

  const file = path.join(config, 'autostart/benchport.desktop');
  expect(await changeSettings(page, { startAtLogin: true })).toMatchObject({
    startAtLogin: true,
    problem: null,
    hasTray: false,
  });
  expect(await fs.readFile(file, 'utf8')).toMatch(new RegExp(`^Exec=.* --hidden --data=${dataDir}$`, 'm'));
  expect(await changeSettings(page, { startAtLogin: false })).toMatchObject({ startAtLogin: false, problem: null });
  await fs.writeFile(file, 'of somebody else');
  expect(await changeSettings(page, { startAtLogin: true })).toMatchObject({
    startAtLogin: false,
    problem: expect.stringContaining('was not written by Benchport'),
  });
}
