import type { Browser } from '@playwright/test';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { run } from '../../service/run-program.ts';
import { asUser, attach, firstPage, nobody, environmentIn, optionsIn } from './as-ordinary-user.ts';
import { createAccount, dropPaths, electronFolder, expect, test } from './launch.ts';

// `npm start` as an ordinary user with Chromium's real sandbox, which the other tests lack when
// they run as root.

const start = path.resolve(import.meta.dirname, '../../../scripts/start.mjs');
/** A folder for the user, and an Electron that the user's pages can read. */
async function prepareUser(folder: string): Promise<{ home: string; electron: string }> {
  const home = path.join(folder, 'home');
  await fs.mkdir(home);
  if (process.getuid?.() !== 0) return { home, electron: electronFolder() };
  await fs.chmod(folder, 0o755);
  await fs.chown(home, nobody, nobody);
  const electron = path.join(folder, 'electron');
  // Hard links are fast, but cannot cross file systems.
  const { status } = await run('cp', ['--recursive', '--link', electronFolder(), electron]);
  if (status !== 0) await fs.cp(electronFolder(), electron, { recursive: true });
  return { home, electron };
}

function startAs({ home, electron }: { home: string; electron: string }): ChildProcess {
  // The C locale, as on a machine where none was chosen.
  const env = {
    ...environmentIn(home),
    ELECTRON_OVERRIDE_DIST_PATH: electron,
    LC_ALL: 'C',
  };
  return spawn(...asUser([process.execPath, start, ...optionsIn(home)]), { env, stdio: ['ignore', 'ignore', 'pipe'] });
}

async function rendererStatus(browser: Browser): Promise<string> {
  const devtools = await browser.newBrowserCDPSession();
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo');
  const renderer = processInfo.find((one) => one.type === 'renderer');
  return fs.readFile(`/proc/${renderer?.id}/status`, 'utf8');
}

test('E02 the pages of an ordinary user are in the real sandbox, and files of any name can be dropped', async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'bp-e2e-'));
  const user = await prepareUser(folder);
  const application = startAs(user);
  const ended = once(application, 'exit');
  let browser: Browser | undefined;
  try {
    if ((await run(...asUser(['unshare', '--user', '--map-root-user', 'true']))).status !== 0) {
      await expect(attach(application)).rejects.toThrow(
        "Chromium's sandbox needs user namespaces, which this machine refuses",
      );
      return;
    }
    browser = await attach(application);
    const page = await firstPage(browser);
    await createAccount(page);
    const status = await rendererStatus(browser);
    expect(status).toMatch(/^Seccomp:\s+2$/m);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    expect(status).not.toMatch(/^Uid:\s+0\b/m);

    const dropped = path.join(folder, 'Größe');
    await fs.mkdir(dropped);
    await fs.writeFile(path.join(dropped, 'Probe ä.csv'), 'time,value\n');
    await dropPaths(page, [dropped], 600, 400);
    await expect(page.getByRole('dialog', { name: 'Register' }).getByText(dropped)).toBeVisible();
  } finally {
    // Playwright's tracing must end before the application does.
    await browser?.close();
    application.kill();
    await ended;
    await fs.rm(folder, { recursive: true, force: true });
  }
});
