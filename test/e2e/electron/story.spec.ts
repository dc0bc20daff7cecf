import fs from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { mustRun } from '../../service/run-program.ts';
import { createAccount, dropPaths, expect, start, test } from './launch.ts';

// The whole path of a data steward and a lab machine in the real application: from the first run to
// a verified download.

/**
 * A folder as an instrument leaves it: small files, and one large enough that hashing takes a
 * while.
 */
async function makeRun(folder: string): Promise<string> {
  const run = path.join(folder, 'run-0091');
  await fs.mkdir(path.join(run, 'raw'), { recursive: true });
  await fs.writeFile(path.join(run, 'Größe 2.csv'), 'time,value\n0,2\n');
  await fs.writeFile(path.join(run, 'notes.txt'), 'first light\n');
  await fs.writeFile(path.join(run, 'raw', 'frames.dat'), 'frame');
  await fs.truncate(path.join(run, 'raw', 'frames.dat'), 128 * 1024 * 1024);
  return run;
}

function row(page: Page, id: string): Locator {
  return page.getByRole('row').filter({ has: page.getByRole('gridcell', { name: id, exact: true }) });
}

/** Records the values of progress bars, because they may disappear before a test can look. */
async function noteProgress(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const seen = new Set<string>();
    Object.assign(window, { seen });
    const look = (): void => {
      for (const bar of document.querySelectorAll('[role=progressbar]'))
        seen.add(`${bar.getAttribute('aria-label')} ${bar.getAttribute('aria-valuenow') ?? ''}`);
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['aria-valuenow'],
    });
  });
  return () => page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
}

async function createToken(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create token' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const secret = await dialog.getByTestId('secret').innerText();
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  await expect(page.getByRole('button', { name: `Revoke ${name}` })).toBeVisible();
  return secret;
}

async function baseUrl(page: Page): Promise<string> {
  return (await page.evaluate(() => fetch('/api/v4/service').then((response) => response.json()))).base_url as string;
}

test('from the first run to a verified download, a revoked token, and a second start', async ({ launch }) => {
  test.setTimeout(90_000);
  const { app, page, folder, command } = await launch({ parts: 'real' });
  const got = path.join(folder, 'got');
  await fs.mkdir(got);
  const curl = (token: string, ...args: string[]): Promise<string> =>
    mustRun('curl', ['-sS', '--fail', '-H', `Authorization: Bearer ${token}`, ...args], { cwd: got });
  const status = (token: string, url: string): Promise<string> =>
    mustRun('curl', ['-sS', '-o', '/dev/null', '-w', '%{http_code}', '-H', `Authorization: Bearer ${token}`, url]);

  await createAccount(page);
  await page.getByRole('button', { name: /^Register the sample/ }).click();
  await expect(row(page, 'sample').getByText('available')).toBeVisible();

  const run = await makeRun(folder);
  await dropPaths(page, [run], 600, 400);
  const dialog = page.getByRole('dialog', { name: 'Register' });
  await expect(dialog.getByText('Folder with 3 files, 128 MiB')).toBeVisible();
  const progress = await noteProgress(page);
  await dialog.getByRole('button', { name: 'Register' }).click();
  await expect(row(page, 'run-0091').getByText('available')).toBeVisible({ timeout: 30_000 });
  expect(await progress()).toContainEqual(expect.stringMatching(/^Registering run-0091 /));

  await page.getByRole('link', { name: 'Tokens' }).click();
  const token = await createToken(page, 'bench 3');
  const other = await createToken(page, 'bench 4');

  const measurement = `${await baseUrl(page)}/measurements/run-0091`;
  const manifest = await curl(token, `${measurement}/files`);
  expect(manifest).toContain('Größe 2.csv');
  await curl(token, '-OJ', `${measurement}/files/1`);
  expect(await fs.readFile(path.join(got, 'notes.txt'), 'utf8')).toBe('first light\n');
  expect(await curl(token, '-r', '6-10', `${measurement}/files/1`)).toBe('light');
  await curl(token, '-OJ', measurement);
  await curl(token, '-o', 'run.sha256', `${measurement.replace('/measurements/', '/api/v4/measurements/')}/checksums`);
  await mustRun('unzip', ['-q', 'run-0091.zip', '-d', 'unpacked'], { cwd: got });
  await mustRun('sha256sum', ['--check', '--strict', '../run.sha256'], { cwd: path.join(got, 'unpacked') });
  await mustRun('diff', ['-r', run, path.join(got, 'unpacked')]);

  await page.getByRole('button', { name: 'Revoke bench 3' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByRole('button', { name: 'Revoke bench 3' })).toHaveCount(0);
  expect(await status(token, measurement)).toBe('401');
  expect(await status(other, `${measurement}/files/1`)).toBe('200');
  await app.close();

  const again = await start(command);
  try {
    const second = await again.firstWindow();
    await expect(row(second, 'sample').getByText('available')).toBeVisible();
    await expect(row(second, 'run-0091').getByText('available')).toBeVisible();
    await second.getByRole('link', { name: 'Tokens' }).click();
    await expect(second.getByRole('button', { name: 'Revoke bench 4' })).toBeVisible();
    await expect(second.getByRole('button', { name: 'Revoke bench 3' })).toHaveCount(0);
    const moved = `${await baseUrl(second)}/measurements/run-0091`;
    expect(await curl(other, `${moved}/files`)).toBe(manifest.replaceAll(measurement, moved));
    expect(await status(token, moved)).toBe('401');
  } finally {
    await again.close();
  }
});
