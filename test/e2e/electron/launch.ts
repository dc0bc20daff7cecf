import { _electron, expect, test as base, type ElectronApplication, type Page } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');

/** How a test starts its application. */
export interface LaunchRequest {
  /** The real service and user interface, or stubs for tests of the window. */
  readonly parts: 'real' | 'stub';
  /** Runs before the start, in the existing data directory. */
  readonly arrange?: (dataDir: string) => Promise<void>;
  readonly args?: readonly string[];
  /** Environment variables in addition to those of the test. */
  readonly env?: Readonly<Record<string, string>>;
}

/** An application that shares nothing with another test. */
export interface Launched {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly folder: string;
  readonly dataDir: string;
  readonly command: LaunchCommand;
}

/** Command line and environment for a second application beside the first. */
export interface LaunchCommand {
  readonly executablePath: string;
  readonly args: string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/**
 * Electron's switches in every test: the GPU process fails under Xvfb, and root cannot use
 * Chromium's sandbox.
 */
function switches(): string[] {
  return ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
}

/**
 * The Electron that `npm test` prepared, or the one that its finder finds. Playwright gets its
 * folder as an override instead of an executable, because only then it pauses the application until
 * it has attached; otherwise a launch on a busy machine sometimes hangs.
 */
function executable(): string {
  process.env['BENCHPORT_ELECTRON'] ??= execFileSync(process.execPath, [path.join(root, 'scripts/electron.mjs')], {
    encoding: 'utf8',
  }).trim();
  process.env['ELECTRON_OVERRIDE_DIST_PATH'] = path.dirname(process.env['BENCHPORT_ELECTRON']);
  return process.env['BENCHPORT_ELECTRON'];
}

/** The folder of that Electron. */
export function electronFolder(): string {
  return path.dirname(executable());
}

/** Starts an application under Playwright's control. */
export function start({ args, cwd, env }: LaunchCommand): Promise<ElectronApplication> {
  return _electron.launch({ args, cwd, env, timeout: 20_000 });
}

/** Builds the command that starts an application with its own folders. */
export async function prepareLaunch(
  folder: string,
  request: LaunchRequest,
): Promise<LaunchCommand & { dataDir: string }> {
  const dataDir = path.join(folder, 'data');
  await fs.mkdir(dataDir, { recursive: true });
  await request.arrange?.(dataDir);
  const appFolder = request.parts === 'real' ? root : await makeStubApp(folder);
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('BENCHPORT_')),
  ) as Record<string, string>;
  return {
    dataDir,
    executablePath: executable(),
    args: [
      ...switches(),
      appFolder,
      `--user-data-dir=${path.join(folder, 'user')}`,
      `--data=${dataDir}`,
      '--port=0',
      ...(request.args ?? []),
    ],
    cwd: root,
    env: { ...environment, XDG_RUNTIME_DIR: folder, BENCHPORT_DEV_NODE: process.execPath, ...request.env },
  };
}

/** Builds the command of a second application that accepts drops. */
export function prepareReceiver(folder: string, environment: Readonly<Record<string, string>>): LaunchCommand {
  return {
    executablePath: executable(),
    args: [
      ...switches(),
      path.join(import.meta.dirname, 'receiver'),
      `--user-data-dir=${path.join(folder, 'receiver')}`,
    ],
    cwd: root,
    env: { ...(process.env as Record<string, string>), ...environment },
  };
}

/** The built main process and preload script with stubs of the service and the user interface. */
async function makeStubApp(folder: string): Promise<string> {
  const app = path.join(folder, 'app');
  const stub = path.join(import.meta.dirname, 'stub');
  await fs.mkdir(path.join(app, 'out/service'), { recursive: true });
  await fs.writeFile(
    path.join(app, 'package.json'),
    JSON.stringify({
      name: 'benchport',
      productName: 'Benchport',
      version: '9.8.7',
      type: 'module',
      main: 'out/main/index.js',
    }),
  );
  for (const part of ['main', 'preload']) await fs.symlink(path.join(root, 'out', part), path.join(app, 'out', part));
  await fs.symlink(path.join(stub, 'renderer'), path.join(app, 'out/renderer'));
  await fs.symlink(path.join(root, 'assets'), path.join(app, 'assets'));
  await fs.symlink(path.join(stub, 'service.ts'), path.join(app, 'out/service/service.js'));
  return app;
}

/** Starts applications and ends them after the test. */
export const test = base.extend<{ launch: (request: LaunchRequest) => Promise<Launched> }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern.
  launch: async ({}, use) => {
    const launched: Launched[] = [];
    await use(async (request) => {
      const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'bp-e2e-'));
      const { dataDir, ...command } = await prepareLaunch(folder, request);
      const app = await start(command);
      const entry = { app, page: await app.firstWindow(), folder, dataDir, command };
      launched.push(entry);
      return entry;
    });
    for (const { app, folder } of launched) {
      await end(app);
      await fs.rm(folder, { recursive: true, force: true });
    }
  },
});

/** Kills an application, because a quit may ask a question. */
export async function end(app: ElectronApplication): Promise<void> {
  try {
    app.process().kill('SIGTERM');
  } catch {
    // Playwright has no process of an application that the test has ended.
    return;
  }
  await app.close().catch(() => {});
}

/** Creates the account, and skips the rest of the first run. */
export async function createAccount(page: Page): Promise<void> {
  await page.getByLabel('User name').fill('alice');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('button', { name: 'Skip the rest' }).click();
  await expect(page.getByRole('heading', { name: 'Measurements' }).first()).toBeVisible();
}

/** Drops paths of this machine on the window, as a file manager would. */
export async function dropPaths(page: Page, files: string[], x: number, y: number): Promise<void> {
  // A window that has not painted yet never acknowledges a drag.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  const devtools = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await devtools.send('Input.dispatchDragEvent', { type, x, y, data: { items: [], files, dragOperationsMask: 1 } });
  }
}

/**
 * Makes the application quit after a moment, because it may be gone before a reply could be sent.
 */
export async function quit(app: ElectronApplication): Promise<void> {
  await app.evaluate((electron) => {
    setTimeout(() => electron.app.quit(), 20);
  });
}

export { expect };
