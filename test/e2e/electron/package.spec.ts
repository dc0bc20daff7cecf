import { getCurrentFuseWire, FuseV1Options } from '@electron/fuses';
import { listPackage } from '@electron/asar';
import { test, expect, type Browser, type Page } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { debianPackage } from '../../../scripts/package-linux.mjs';
import { packageDirectory } from '../../../scripts/package.mjs';
import { run } from '../../service/run-program.ts';
import { asPlainUser, attach, firstPage, nobody, environmentIn, optionsIn } from './as-ordinary-user.ts';
import { createAccount } from './launch.ts';
import { serveUpdates, type UpdateFeedServer } from './update-feed.ts';

// A number is a point of the Electron security checklist. All tests examine one package, because
// making it is slow.

const mebibyte = 1024 * 1024;
// The size of the package besides Electron itself; a sudden growth is a mistake in the list of
// files.
const budget = { archive: 12 * mebibyte, machineCode: 8 * mebibyte };

let folder: string;
let unpacked: string;
let feed: UpdateFeedServer;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  test.setTimeout(120_000);
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'bp-package-'));
  await fs.chmod(folder, 0o755);
  feed = await serveUpdates(folder);
  // The configuration that a release uses. electron-builder validates it against its schema.
  const updates = { publish: { provider: 'generic', url: feed.url }, extraMetadata: { updateKey: feed.key } };
  unpacked = await packageDirectory(path.join(folder, 'release'), updates);
});
test.afterAll(async () => {
  feed.close();
  await fs.rm(folder, { recursive: true, force: true });
});

async function filesBelow(root: string): Promise<{ name: string; size: number }[]> {
  const names = (await fs.readdir(root, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  return Promise.all(
    names.map(async (entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return { name: path.relative(root, file), size: (await fs.stat(file)).size };
    }),
  );
}

test('E16 a package contains only the files it runs with, within its size budget', async () => {
  const resources = path.join(unpacked, 'resources');
  const archive = listPackage(path.join(resources, 'app.asar'), { isPack: false }).map((name) =>
    name.replaceAll('\\', '/'),
  );
  const strange = archive.filter(
    (name) =>
      !/^\/(package\.json|out(\/|$)|node_modules($|\/(better-sqlite3|@node-rs|koffi|@koromix)($|\/)))/.test(name),
  );
  expect(strange).toEqual([]);
  expect(archive.filter((name) => /\.(map|ts|tsx|mts)$|\/(test|tests|docs|\.env)(\/|$)/.test(name))).toEqual([]);
  expect(archive).toEqual(
    expect.arrayContaining([
      '/out/main/index.js',
      '/out/preload/index.cjs',
      '/out/service/service.js',
      '/out/renderer/index.html',
      '/out/THIRD-PARTY-NOTICES.txt',
    ]),
  );

  const beside = await filesBelow(path.join(resources, 'app.asar.unpacked'));
  const native = beside.filter(({ name }) => name.endsWith('.node'));
  expect(native.map(({ name }) => path.basename(name)).toSorted()).toEqual([
    'argon2.linux-x64-gnu.node',
    'crc32.linux-x64-gnu.node',
    'koffi.node',
    'linux-x64.node',
  ]);
  expect(native.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(budget.machineCode);
  expect((await fs.stat(path.join(resources, 'app.asar'))).size).toBeLessThan(budget.archive);
  expect(await fs.readdir(resources)).not.toContain('default_app.asar');
});

test('E15 the fuses are those of the release: no Node mode, no inspector, code from the archive only', async () => {
  const wire = await getCurrentFuseWire(path.join(unpacked, 'benchport'));
  const on = (option: FuseV1Options) => String.fromCodePoint(Number(wire[option])) === '1';
  expect({
    runAsNode: on(FuseV1Options.RunAsNode),
    cookieEncryption: on(FuseV1Options.EnableCookieEncryption),
    nodeOptions: on(FuseV1Options.EnableNodeOptionsEnvironmentVariable),
    inspector: on(FuseV1Options.EnableNodeCliInspectArguments),
    integrity: on(FuseV1Options.EnableEmbeddedAsarIntegrityValidation),
    archiveOnly: on(FuseV1Options.OnlyLoadAppFromAsar),
    fileScheme: on(FuseV1Options.GrantFileProtocolExtraPrivileges),
  }).toEqual({
    runAsNode: false,
    cookieEncryption: true,
    nodeOptions: false,
    inspector: false,
    integrity: true,
    archiveOnly: true,
    fileScheme: false,
  });
});

test('E21 updates are loaded over https only, and never by a web installer', async () => {
  expect(await fs.readFile(path.join(unpacked, 'resources/app-update.yml'), 'utf8')).toContain(`url: ${feed.url}\n`);
  const configuration = await fs.readFile(path.resolve(import.meta.dirname, '../../../electron-builder.yml'), 'utf8');
  expect(configuration).not.toMatch(/nsisWeb|nsis-web/);
});

test('the Debian package installs the application, which runs as an ordinary user in the real sandbox; E21 an update is verified, confirmed and installed', async () => {
  test.setTimeout(120_000);
  const deb = debianPackage(unpacked, folder, 'none');
  const installed = path.join(folder, 'installed');
  expect(await run('dpkg-deb', ['-x', deb, installed])).toMatchObject({ status: 0 });
  expect(await fs.readFile(path.join(installed, 'usr/share/applications/benchport.desktop'), 'utf8')).toContain(
    'MimeType=x-scheme-handler/benchport;',
  );
  expect(await run('gzip', ['-t', path.join(installed, 'usr/share/man/man1/benchport.1.gz')])).toMatchObject({
    status: 0,
  });
  const sandbox = await fs.stat(path.join(installed, 'opt/Benchport/chrome-sandbox'));
  expect(sandbox.mode & 0o7777).toBe(0o4755);

  const home = path.join(folder, 'home');
  await fs.mkdir(home);
  if (process.getuid?.() === 0) await fs.chown(home, nobody, nobody);
  // The variables of an AppImage. Its feed's certificate is self-signed, which Chromium ignores
  // only with a switch.
  const appImage = path.join(home, 'Benchport.AppImage');
  await fs.writeFile(appImage, 'this version');
  if (process.getuid?.() === 0) await fs.chown(appImage, nobody, nobody);
  const options = ['--ignore-certificate-errors', ...optionsIn(home)];
  const env = {
    ...environmentIn(home),
    XDG_CACHE_HOME: path.join(home, 'cache'),
    APPIMAGE: appImage,
  };
  const started = path.join(home, 'started');
  const next = `#!/bin/sh\necho "$0" > '${started}'\n`;
  const use = async (work: (page: Page, ended: Promise<unknown[]>) => Promise<void>): Promise<void> => {
    const application = spawn(...asPlainUser([path.join(installed, 'opt/Benchport/benchport'), ...options]), {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(application, 'exit');
    let browser: Browser | undefined;
    try {
      browser = await attach(application);
      await work(await firstPage(browser), ended);
    } finally {
      // Playwright's tracing must end before the application does.
      await browser?.close();
      application.kill();
      await ended;
    }
  };

  await use(async (page, ended) => {
    await createAccount(page);
    await page
      .getByRole('button', { name: /sample/i })
      .first()
      .click();
    await expect(
      page
        .getByRole('row', { name: /sample/i })
        .or(page.getByText('Sample measurement'))
        .first(),
    ).toBeVisible();
    await expect(page.getByText('available').first()).toBeVisible();

    await page.keyboard.press('Control+,');
    await expect(page.getByText('This is Benchport 0.1.0. It has not checked for updates yet.')).toBeVisible();
    feed.offer('9.0.0', next, 'others');
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(
      page.getByText('The update server offers an update without a valid Benchport signature. Nothing was downloaded.'),
    ).toBeVisible();
    feed.offer('9.0.0', next, 'us');
    await page.getByRole('button', { name: 'Check now' }).click();
    await expect(page.getByText('Version 9.0.0 is there.')).toBeVisible();
    expect(feed.asked.filter((name) => !name.includes('latest-linux.yml'))).toEqual([]);

    // Quitting during the download: nothing waits for it, and nothing is installed.
    feed.holdsBack = true;
    await page.getByRole('button', { name: 'Download' }).click();
    await expect(page.getByText('Fetching 9.0.0:')).toBeVisible();
    await expect.poll(() => feed.asked.filter((name) => name.endsWith('.AppImage'))).toHaveLength(1);
    await page.close();
    expect(await ended).toEqual([0, null]);
  });
  expect(await fs.readFile(appImage, 'utf8')).toBe('this version');

  // The next start downloads the whole package.
  feed.holdsBack = false;
  await use(async (page, ended) => {
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Check now' }).click();
    await page.getByRole('button', { name: 'Download' }).click();
    await expect(page.getByText('Version 9.0.0 is ready to install.')).toBeVisible();
    expect(await fs.readFile(appImage, 'utf8')).toBe('this version');
    await page.getByRole('button', { name: 'Restart and install' }).click();
    await ended;
    await expect.poll(async () => fs.readFile(started, 'utf8').catch(() => '')).toBe(`${appImage}\n`);
    expect(await fs.readFile(appImage, 'utf8')).toBe(next);
  });
});
