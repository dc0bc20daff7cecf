import { expect, test } from '@playwright/test';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { asWindow } from '../../../service/as-window.ts';
import { startTestService, type TestService } from '../../../service/start.ts';

const run = promisify(execFile);

let service: TestService;
let files: string;

test.beforeAll(async () => {
  service = await startTestService();
  files = await mkdtemp(path.join(os.tmpdir(), 'benchport-files-'));
  await mkdir(path.join(files, 'raw'));
  await writeFile(path.join(files, 'notes.txt'), 'first light\n');
  await writeFile(path.join(files, 'raw', 'frame-1.dat'), Buffer.alloc(300_000, 7));
});

test.afterAll(async () => {
  await service.end();
  await rm(files, { recursive: true, force: true });
});

test('from the first run to a verified download by curl and a revoked token', async ({ page }) => {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (/content security policy|refused to/i.test(message.text())) complaints.push(message.text());
  });

  await page.goto(`${service.url}/ui/setup?code=${service.setupCode ?? ''}`);
  await page.getByLabel('User name').fill('alice');
  await page.getByLabel('Full name').fill('Alice');
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('benchport measurement register PATH')).toBeVisible();

  // Registering needs the machine; the browser sees the result.
  await asWindow(service, 'POST', '/api/v4/local/registrations', {
    path: files,
    id: 'first-light',
    title: 'First light',
  });
  await page.getByRole('gridcell', { name: 'first-light', exact: true }).click();
  const detail = page.getByRole('complementary', { name: 'Measurement first-light' });
  await expect(detail.getByText('available')).toBeVisible();
  await expect(detail.getByText('2 files, 293 KiB')).toBeVisible();
  await expect(detail.getByText('frame-1.dat')).toBeVisible();

  // A signed-in browser saves the archive, and one file, without a token.
  const archive = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download ZIP' }).click();
  expect((await archive).suggestedFilename()).toBe('first-light.zip');
  expect((await stat(await (await archive).path())).size).toBeGreaterThan(300_000);
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Actions for raw/frame-1.dat' }).click();
  await page.getByRole('menuitem', { name: 'Download' }).click();
  expect((await stat(await (await file).path())).size).toBe(300_000);

  await page.getByRole('link', { name: 'Tokens' }).click();
  await page.getByRole('button', { name: 'Create token' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('bench 3');
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const token = await dialog.getByTestId('secret').innerText();
  await dialog.getByRole('button', { name: 'I have saved it' }).click();

  const target = path.join(service.dir, 'frame.dat');
  const curl = (): Promise<unknown> =>
    run('curl', [
      '-sSf',
      '-H',
      `Authorization: Bearer ${token}`,
      '-o',
      target,
      `${service.url}/measurements/first-light/files/1`,
    ]);
  await curl();
  const { stdout } = await run('sha256sum', [target]);
  expect(stdout.slice(0, 64)).toBe(createHash('sha256').update(Buffer.alloc(300_000, 7)).digest('hex'));

  // The transfer is in the history, with the token's name.
  await page.goto(`${service.url}/ui/measurements/first-light`);
  await page.getByRole('tab', { name: 'History' }).click();
  const downloads = page.getByRole('region', { name: 'Downloads' });
  await expect(downloads.getByText(/^bench 3 · /)).toBeVisible();
  await downloads.getByRole('button', { name: 'Files that alice fetched' }).first().click();
  await expect(downloads.getByText('raw/frame-1.dat', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByText('first-light is verified')).toBeVisible();

  await page.getByRole('link', { name: 'Tokens' }).click();
  await page.getByRole('button', { name: 'Revoke bench 3' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByRole('button', { name: 'Revoke bench 3' })).toHaveCount(0);
  await expect(curl()).rejects.toThrow('401');

  // An altered file is detected, named and reported.
  await writeFile(path.join(files, 'notes.txt'), 'second light\n');
  await page.goto(`${service.url}/ui/measurements/first-light`);
  await page.getByRole('button', { name: 'Verify' }).click();
  await expect(page.getByRole('complementary').getByText('degraded, 1 file')).toBeVisible();
  await page.getByRole('button', { name: 'Show which' }).click();
  await expect(page.getByRole('list', { name: 'Files with problems' })).toContainText('notes.txt');
  await expect(page.getByText('checked just now')).toBeVisible();

  await page.getByRole('button', { name: 'Signed in as alice' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/users\/sign_in/);
  expect(complaints).toEqual([]);
});
