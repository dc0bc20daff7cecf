import fs from 'node:fs/promises';
import path from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { createAccount, expect, test } from './launch.ts';

/** Sets the result of later dialogs for files and folders. */
async function choose(app: ElectronApplication, file: string): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
    dialog.showSaveDialog = async () => ({ canceled: false, filePath: chosen });
  }, file);
}

async function write(page: Page, method: string, address: string, body?: object): Promise<number> {
  const init = {
    method,
    ...(body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {}),
  };
  return page.evaluate(async ({ url, options }) => (await fetch(url, options)).status, { url: address, options: init });
}

test('data are backed up, restored and moved in the window, which recovers each time and reports failures', async ({
  launch,
}) => {
  const { app, page, folder, dataDir } = await launch({ parts: 'real' });
  await createAccount(page);
  const run = path.join(folder, 'run-7');
  await fs.mkdir(run);
  await fs.writeFile(path.join(run, 'trace.csv'), 'time,value\n0,1\n');
  // The page itself can name no path of this machine: a script in it could otherwise read or
  // overwrite any file.
  const register = () => write(page, 'POST', '/api/v4/local/registrations', { path: run, id: 'run-7', copy: true });
  expect(await register()).toBe(403);
  await choose(app, run);
  await page.evaluate(() =>
    (window as unknown as { benchport: { chooseFolders(): Promise<string[]> } }).benchport.chooseFolders(),
  );
  expect(await register()).toBe(202);
  const states = () =>
    page.evaluate(async () => {
      const response = await fetch('/api/v4/measurements');
      return response.ok ? ((await response.json()) as { state: string }[]).map(({ state }) => state) : response.status;
    });
  await expect.poll(states).toEqual(['available']);

  await page.keyboard.press('Control+,');
  const section = (title: string) => page.locator('div', { has: page.getByRole('heading', { name: title }) }).last();
  const backups = section('Backups');
  const backup = path.join(folder, 'backup.zip');
  await choose(app, backup);
  await backups.getByRole('button', { name: 'Make a backup' }).click();
  await expect(backups.getByText('Last backup', { exact: true })).toBeVisible();
  await fs.writeFile(path.join(folder, 'cut.zip'), (await fs.readFile(backup)).subarray(0, 2000));
  await choose(app, path.join(folder, 'cut.zip'));
  await backups.getByRole('button', { name: 'Restore a backup' }).click();
  await expect(backups.getByRole('alert')).toContainText(
    'is not a backup, or it is damaged: it does not end like an archive',
  );

  expect(await write(page, 'DELETE', '/api/v4/measurements/run-7')).toBe(204);
  await choose(app, backup);
  await backups.getByRole('button', { name: 'Restore a backup' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click();
  await expect(backups.getByText('Previous data')).toBeVisible();
  expect(await states()).toEqual(['available']);
  // State of the previous service is not applied to the new one.
  await expect(backups.getByRole('progressbar').or(backups.getByRole('alert'))).toHaveCount(0);

  const data = section('Data directory');
  const move = data.getByRole('button', { name: 'Move to another folder' });
  await choose(app, run);
  await move.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Move' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('is not an empty folder');
  await page.keyboard.press('Escape');
  await expect(move).toBeFocused();
  const place = path.join(folder, 'elsewhere');
  await choose(app, place);
  await move.click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Move' }).click();
  await expect(data.getByText('The data was moved')).toBeVisible();
  await expect(data.getByText(place, { exact: true })).toBeVisible();
  await expect(data.getByText(dataDir, { exact: true })).toBeVisible();
  expect(await states()).toEqual(['available']);
});
