import type { Page } from '@playwright/test';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { addMeasurement, openBeside, type FixtureFile } from '../../../service/fixture-measurement.ts';
import type { TestService } from '../../../service/start.ts';
import { lookAt } from '../look.ts';
import { expectAccessible } from '../screens-fixture.ts';
import { expect, test } from '../signed-in.ts';

/** 3,001 files: 1,200 frames in a folder, 600 folders with 3 files each, and a text beside them. */
const paths = [
  'README.txt',
  ...Array.from({ length: 1200 }, (_, at) => `raw/frame${at}.dat`),
  ...Array.from({ length: 600 }, (_, at) =>
    ['a.csv', 'b.csv', 'c.csv'].map((name) => `scans/scan${at}/${name}`),
  ).flat(),
];
const sorted = paths.toSorted((a, b) => (a < b ? -1 : 1));
const indexOf = (path: string): number => sorted.indexOf(path);

async function show(page: Page, service: TestService): Promise<void> {
  const files: FixtureFile[] = paths.map((path) =>
    path.endsWith('7.dat') || path === 'README.txt'
      ? { path, bytes: `${path} at 4 kelvin\n` }
      : { path, rowOnly: true },
  );
  await addMeasurement(service, 1, 'run-7', files);
  // Else the schedule would verify it, and find most of its files missing.
  const beside = openBeside(service);
  beside.prepare('UPDATE measurements SET verified_at = ?').run(Date.now());
  beside.close();
  await page.goto(`${service.url}/ui/measurements/run-7`);
  await expect(grid(page)).toBeVisible();
}

const grid = (page: Page) => page.getByRole('treegrid', { name: 'Files', exact: true });
const chosen = (page: Page) => page.getByRole('toolbar', { name: 'With the chosen files' });
const link = (page: Page) => chosen(page).getByRole('link', { name: 'Download chosen' });

async function expectActive(page: Page, name: RegExp): Promise<void> {
  // In one step, because a row that has scrolled out of view would be waited for.
  const active = async () =>
    page.evaluate(() => {
      const id = document.activeElement?.getAttribute('aria-activedescendant') ?? '';
      return document.getElementById(id)?.getAttribute('aria-label') ?? '';
    });
  await expect.poll(active).toMatch(name);
}

test('the files are walked with the keyboard alone', async ({ page, service }) => {
  await show(page, service);
  await expect(grid(page).getByRole('row')).toHaveCount(3);
  await expectAccessible(page);
  await page.getByRole('searchbox', { name: 'Search files' }).focus();
  await page.keyboard.press('ArrowDown');
  await expectActive(page, /^raw, 1.200 files, /);
  await page.keyboard.press('ArrowRight');
  await expect(grid(page).getByRole('row', { name: 'raw' }).first()).toHaveAttribute('aria-expanded', 'true');
  await expect(grid(page).getByRole('row', { name: 'frame2.dat' })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expectActive(page, /^frame0\.dat/);
  for (let step = 0; step < 10; step += 1) await page.keyboard.press('ArrowDown');
  await expectActive(page, /^frame10\.dat/);
  await page.keyboard.press('ArrowLeft');
  await expectActive(page, /^raw, /);
  await page.keyboard.press('ArrowLeft');
  await expect(grid(page).getByRole('row')).toHaveCount(3);
  await page.keyboard.press('End');
  await expectActive(page, /^scans, 1.800 files, /);
  await page.keyboard.press('ArrowRight');
  await expect(grid(page).getByRole('row', { name: 'scan2, 3 files' })).toBeVisible();
  // The last page of a folder is loaded on the way.
  await page.keyboard.press('End');
  await expectActive(page, /^scan599, 3 files/);
  await page.keyboard.press('Home');
  await expectActive(page, /^raw, /);
  await expectAccessible(page);

  // A preview opens over the list, and leads back to its row, in folders that are as they were.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('region', { name: 'Preview of README.txt' }).getByText('README.txt at 4 kelvin'),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(grid(page)).toBeFocused();
  await expectActive(page, /^README\.txt/);
  await page.getByRole('tab', { name: 'Copies' }).click();
  await page.getByRole('tab', { name: 'Files' }).click();
  await expect(grid(page).getByRole('row', { name: 'scan2, 3 files' })).toBeVisible();
});

test('chosen files and folders are one ZIP', async ({ page, service }) => {
  await show(page, service);
  await grid(page).getByRole('button', { name: 'raw', exact: true }).click();
  await expect(grid(page).getByRole('row', { name: 'frame2.dat' })).toBeVisible();
  await expect(grid(page)).toBeFocused();
  await page.keyboard.press('Space');
  await expect(chosen(page)).toContainText(/1.200 files, /);
  const first = indexOf('raw/frame0.dat');
  await expect(link(page)).toHaveAttribute('href', `/measurements/run-7/archive?files=${first}-${first + 1199}`);
  // One is left out.
  await grid(page).getByRole('checkbox', { name: 'Choose frame0.dat' }).click();
  await expect(link(page)).toHaveAttribute('href', `/measurements/run-7/archive?files=${first + 1}-${first + 1199}`);
  await expect(grid(page).getByRole('checkbox', { name: 'Choose raw' })).toHaveJSProperty('indeterminate', true);
  await lookAt(page, 'aside');
  await page.getByRole('button', { name: 'Choose none' }).click();
  await expect(chosen(page)).toHaveCount(0);
  await expect(grid(page)).toBeFocused();

  // Shift chooses what is between, whose indexes are those of the manifest.
  await grid(page).getByRole('checkbox', { name: 'Choose frame7.dat' }).click();
  await grid(page)
    .getByRole('checkbox', { name: 'Choose frame9.dat' })
    .click({ modifiers: ['Shift'] });
  await expect(chosen(page)).toContainText('3 files, ');
  const three = ['raw/frame7.dat', 'raw/frame8.dat', 'raw/frame9.dat'].map(indexOf);
  await expect(link(page)).toHaveAttribute('href', `/measurements/run-7/archive?files=${three.join(',')}`);
  await page.keyboard.press('Shift+ArrowDown');
  await expect(chosen(page)).toContainText('4 files, ');
  await page.keyboard.press('Control+a');
  await expect(link(page)).toHaveAttribute('href', '/measurements/run-7/archive?files=0-3000');
});

test('the ZIP of the chosen files has them and nothing else', async ({ page, service }) => {
  await show(page, service);
  await grid(page).getByRole('checkbox', { name: 'Choose README.txt' }).click();
  await grid(page).getByRole('button', { name: 'raw', exact: true }).click();
  await grid(page).getByRole('checkbox', { name: 'Choose frame7.dat' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), link(page).click()]);
  expect(download.suggestedFilename()).toBe('run-7-files.zip');
  const { stdout } = await promisify(execFile)('unzip', ['-c', '-q', await download.path()]);
  expect(stdout).toContain('README.txt at 4 kelvin\n');
  expect(stdout).toContain('raw/frame7.dat at 4 kelvin\n');
  expect(stdout.match(/kelvin/g)).toHaveLength(2);
});

test('a filter finds names among all of them, and what it finds is chosen', async ({ page, service }) => {
  await show(page, service);
  const search = page.getByRole('searchbox', { name: 'Search files' });
  await search.fill('b.csv');
  const found = page.getByRole('treegrid', { name: 'Files found' });
  await expect(page.getByText('600 files found')).toBeVisible();
  await expect(found.getByRole('row').first()).toContainText('scans/scan0/b.csv');
  await search.press('ArrowDown');
  await expect(found).toBeFocused();
  await page.keyboard.press('Control+a');
  await expect(chosen(page)).toContainText('600 files, ');
  await expect(link(page)).toHaveAttribute('href', new RegExp(`files=${indexOf('scans/scan0/b.csv')},`));
  await expectAccessible(page);
  // Frames with even numbers besides are more places than one ZIP takes.
  await search.fill('0.dat');
  await expect(page.getByText('120 files found')).toBeVisible();
  await search.press('ArrowDown');
  await page.keyboard.press('Control+a');
  await expect(chosen(page)).toContainText('720 files, ');
  for (const digit of [2, 4, 6, 8]) {
    await search.fill(`${digit}.dat`);
    await expect(page.getByText('120 files found')).toBeVisible();
    await expect(found.getByRole('row').first()).toContainText(`frame${digit}.dat`);
    await search.press('ArrowDown');
    await page.keyboard.press('Control+a');
  }
  await expect(chosen(page)).toContainText(/1.200 files, /);
  await expect(chosen(page)).toContainText(/scattered over 1.\d\d\d places|too many places/);
  await expect(chosen(page).getByRole('button', { name: 'Download chosen' })).toBeDisabled();
  await lookAt(page, 'aside');
  await search.fill('');
  await expect(grid(page).getByRole('checkbox', { name: 'Choose raw' })).toHaveJSProperty('indeterminate', true);
});

test('focus and folds outlast a change, and files with problems are said and refused', async ({ page, service }) => {
  await show(page, service);
  await grid(page).getByRole('button', { name: 'raw', exact: true }).click();
  await page.keyboard.press('ArrowRight');
  await expectActive(page, /^frame0\.dat/);
  const beside = openBeside(service);
  beside
    .prepare("UPDATE measurement_files SET state = 'missing', problem = 'gone' WHERE path = 'raw/frame3.dat'")
    .run();
  beside.prepare('UPDATE measurements SET problem_count = 1').run();
  beside.close();
  service.services.events.emit('changed', { topic: 'measurements', id: 'run-7' });
  await expect(grid(page).getByRole('row', { name: /^frame3\.dat, missing/ })).toBeVisible();
  await expect(grid(page)).toBeFocused();
  await expectActive(page, /^frame0\.dat/);
  await grid(page).getByRole('checkbox', { name: 'Choose raw' }).click();
  await expect(chosen(page)).toContainText('One of them is not as registered and refused to readers. Leave it out.');
  await grid(page).getByRole('checkbox', { name: 'Choose frame3.dat' }).click();
  await expect(link(page)).toBeVisible();
});

test('a link to a file leads to its folder', async ({ page, service }) => {
  await show(page, service);
  await page.goto(`${service.url}/ui/measurements/run-7?file=${indexOf('raw/frame7.dat')}`);
  await expect(page.getByRole('region', { name: 'Preview of frame7.dat' }).getByText('at 4 kelvin')).toBeVisible();
  await page.keyboard.press('Escape');
  await expectActive(page, /^frame7\.dat/);
  await expect(grid(page).getByRole('row', { name: 'frame7.dat' })).toBeInViewport();
});
