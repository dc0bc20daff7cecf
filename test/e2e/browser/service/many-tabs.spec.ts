import { type Page } from '@playwright/test';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { asWindow } from '../../../service/as-window.ts';
import { expect, test } from '../signed-in.ts';

// Enables the back/forward cache, as in users' browsers: Playwright disables it, and the headless
// shell has none.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, executablePath: '/usr/bin/chromium', ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
});

/** More than the six connections that a browser has to a host over HTTP/1.1. */
const manyTabs = 12;

async function expectMeasurement(page: Page, id: string): Promise<void> {
  await expect(page.getByRole('gridcell', { name: id, exact: true })).toBeVisible();
}

test('D1: twelve open tabs all see a change, and a download and the sign-in page work beside them', async ({
  page,
  service,
  context,
}) => {
  const tabs: Page[] = [page];
  while (tabs.length < manyTabs) {
    const tab = await context.newPage();
    await tab.goto(`${service.url}/ui/measurements`);
    await expect(tab.getByText('service running')).toBeVisible();
    tabs.push(tab);
  }
  const files = path.join(service.dir, 'to-register');
  await mkdir(files);
  await writeFile(path.join(files, 'a.txt'), 'a\n');
  await asWindow(service, 'POST', '/api/v4/local/registrations', {
    path: files,
    id: 'seen-by-all',
    title: 'Seen by all',
  });
  for (const tab of tabs) await expectMeasurement(tab, 'seen-by-all');

  const last = tabs[manyTabs - 1] ?? page;
  await last.getByRole('gridcell', { name: 'seen-by-all', exact: true }).click();
  const download = last.waitForEvent('download');
  await last.getByRole('link', { name: 'Download ZIP' }).click();
  expect((await download).suggestedFilename()).toBe('seen-by-all.zip');
  const other = await context.newPage();
  await other.goto(`${service.url}/users/sign_in`);
  await expect(other).toHaveTitle(/Benchport/);

  // The other tabs keep working when the tab that opened the stream is closed.
  await page.close();
  await asWindow(service, 'POST', '/api/v4/local/registrations', {
    path: files,
    id: 'seen-later',
    title: 'Seen later',
  });
  for (const tab of tabs.slice(1, -1)) await expectMeasurement(tab, 'seen-later');
});

test('D1: twelve pages in one tab open, each stays in the back/forward cache, and going back shows later changes', async ({
  page,
  service,
}) => {
  const screens = ['measurements', 'tokens', 'errors', 'users', 'applications', 'audit'];
  for (let load = 0; load < 2 * screens.length; load += 1) {
    await page.goto(`${service.url}/ui/${screens[load % screens.length] ?? ''}`);
    await expect(page.getByText('service running')).toBeVisible();
  }
  await page.goto(`${service.url}/ui/measurements`);
  await expect(page.getByText('service running')).toBeVisible();
  await page.evaluate(() => Object.assign(window, { kept: true }));
  await page.goto(`${service.url}/ui/tokens`);
  await expect(page.getByText('service running')).toBeVisible();
  const files = path.join(service.dir, 'to-register');
  await mkdir(files);
  await writeFile(path.join(files, 'a.txt'), 'a\n');
  await asWindow(service, 'POST', '/api/v4/local/registrations', {
    path: files,
    id: 'while-away',
    title: 'While away',
  });
  await page.goBack({ waitUntil: 'commit' });
  await expectMeasurement(page, 'while-away');
  expect(await page.evaluate(() => 'kept' in window)).toBe(true);
});
