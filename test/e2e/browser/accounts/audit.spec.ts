import { readFile } from 'node:fs/promises';
import type { Download } from '@playwright/test';
import { addMeasurement, openBeside } from '../../../service/fixture-measurement.ts';
import { zeros } from '../../../service/zeros.ts';
import { lookAt } from '../look.ts';
import { ask } from '../projects/projects-world.ts';
import { expectRefused } from '../sign-in-elsewhere.ts';
import { expect, tabTo, test } from '../signed-in.ts';

// Axe examines every element, in two themes.
test.setTimeout(120_000);

const linesOf = async (download: Download): Promise<string[]> =>
  (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/);

test('the trail shows events, the newest first, and updates itself', async ({ page, service, browser }) => {
  await page.goto(`${service.url}/ui/audit`);
  const events = page.getByRole('region', { name: 'Events' });
  await expectRefused(browser, service.url, 'alice', 'not it at all');
  await expect(events.getByRole('row').nth(1)).toContainText('Failed to sign in');
  await expect(events.getByRole('row').nth(1)).toContainText('127.0.0.1');
  await lookAt(page);
});

test('the trail is filtered by user, action and day, and the address keeps the filter', async ({ page, service }) => {
  const bob = await service.user('bob');
  const alice = await service.services.users.byUsername('alice');
  for (const [userId, action] of [
    [bob, 'token.create'],
    [bob, 'token.revoke'],
    [bob, 'oauth.approve'],
    [alice?.id ?? 0, 'token.create'],
  ] as const) {
    await service.services.audit.record({
      userId,
      action,
      subject: 'token:12',
      detail: 'ms-reader',
      address: '192.168.4.17',
    });
  }
  await page.goto(`${service.url}/ui/audit`);
  const rows = page.getByRole('region', { name: 'Events' }).getByRole('row');
  await page.getByLabel('User', { exact: true }).fill('bob');
  await expect(rows).toHaveCount(4);
  await page.getByLabel('What').selectOption('token.');
  await expect(rows).toHaveCount(3);
  await page.getByLabel('What').selectOption('Revoked a token');
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/user=bob&action=token\.revoke/);
  await lookAt(page);

  const day = new Date().toISOString().slice(0, 10);
  await page.getByLabel('To', { exact: true }).fill(day);
  await expect(rows).toHaveCount(2);
  await page.getByLabel('To', { exact: true }).fill('2026-01-31');
  await expect(page.getByText('No entry matches the filters.')).toBeVisible();
  await lookAt(page);
  await page.goto(`${service.url}/ui/audit?user=bob&action=token.&from=${day}`);
  await expect(rows).toHaveCount(3);
  await expect(page.getByLabel('User', { exact: true })).toHaveValue('bob');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).toHaveURL(`${service.url}/ui/audit`);
});

test('the subject of an event is a link to its screen while it exists', async ({ page, service }) => {
  const { services } = service;
  const bob = await service.user('bob');
  await service.token(bob);
  await service.token(bob, ['read_api'], Date.now() - 1000);
  const beside = openBeside(service);
  const [token, expired] = beside
    .prepare<[number], number>('SELECT id FROM personal_access_tokens WHERE user_id = ? ORDER BY id')
    .pluck()
    .all(bob);
  beside.close();
  await ask(page, service, 'POST', '/user/applications', {
    name: 'Beam line',
    redirect_uris: ['http://127.0.0.1/'],
    scopes: ['read_api'],
    confidential: true,
  });
  await ask(page, service, 'POST', '/projects', { path: 'lab/qmr' });
  await addMeasurement(service, bob, 'qmr-2026-114', [await zeros(service, 'qmr-2026-114', 'a.dat', 10)]);
  const record = async (subject: string): Promise<void> =>
    services.audit.record({ userId: bob, action: 'settings.update', subject });
  for (const subject of [
    `user:${bob}`,
    `token:${token}`,
    `token:${expired}`,
    'measurement:qmr-2026-114',
    'user:4711',
    'token:x',
    'setting:x',
  ])
    await record(subject);

  const link = (name: string | RegExp) =>
    page.getByRole('region', { name: 'Events' }).getByRole('link', { name }).first();
  const follow = async (name: string | RegExp): Promise<void> => {
    await page.goto(`${service.url}/ui/audit`);
    await link(name).click();
  };
  await follow(`user:${bob}`);
  await expect(page).toHaveURL(/\/ui\/users\?search=bob$/);
  await expect(page.getByRole('row', { name: /bob/ })).toHaveCount(1);
  await follow(`token:${token}`);
  await expect(page).toHaveURL(/\/ui\/tokens\?user=bob&search=test$/);
  await expect(page.getByRole('rowheader', { name: 'test' })).toHaveCount(1);
  await follow(`token:${expired}`);
  await expect(page).toHaveURL(/\/ui\/tokens\?user=bob&search=test&state=inactive$/);
  await expect(page.getByRole('rowheader', { name: 'test' })).toHaveCount(1);
  await follow(/^application:/);
  await expect(page.getByLabel('Application Beam line')).toContainText('Beam line');
  await follow(/^project:/);
  await expect(page.getByRole('region', { name: 'Settings of lab/qmr' })).toBeVisible();
  await follow('measurement:qmr-2026-114');
  await expect(page.getByText('a.dat')).toBeVisible();

  await services.projects.hide((await services.projects.byPath('lab/qmr'))?.id ?? 0);
  await page.goto(`${service.url}/ui/audit`);
  await expect(link(`user:${bob}`)).toBeVisible();
  for (const gone of [/^project:/, 'user:4711', 'token:x', 'setting:x']) {
    await expect(page.getByText(gone).first()).toBeVisible();
    await expect(link(gone)).toHaveCount(0);
  }
  await lookAt(page);
});

test('long trails are paged, and the CSV file has all filtered events without spreadsheet formulas', async ({
  page,
  service,
}) => {
  const bob = await service.user('bob');
  for (let count = 0; count < 120; count += 1)
    await service.services.audit.record({
      userId: bob,
      action: 'token.create',
      subject: `token:${count}`,
      detail: count === 7 ? '=HYPERLINK("https://example.com")' : 'ms-reader',
    });
  await page.goto(`${service.url}/ui/audit?user=bob`);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  const rows = page.getByRole('region', { name: 'Events' }).getByRole('row');
  await expect(pages).toContainText('1 to 50 of 120');
  await expect(rows.nth(1)).toContainText('token:119');
  await expect(pages.getByRole('button', { name: 'Previous page' })).toBeDisabled();
  await pages.getByRole('button', { name: 'Next page' }).click();
  await pages.getByRole('button', { name: 'Next page' }).click();
  await expect(pages).toContainText('101 to 120 of 120');
  await expect(rows).toHaveCount(21);
  await expect(pages.getByRole('button', { name: 'Next page' })).toBeDisabled();
  await lookAt(page);

  const saved = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  expect((await saved).suggestedFilename()).toMatch(/\.csv$/);
  const lines = await linesOf(await saved);
  expect(lines).toHaveLength(121);
  expect(lines.join('\n')).not.toMatch(/[,"]=HYPERLINK/);
  expect(lines.join('\n')).toContain('HYPERLINK');

  // A filter starts at the first page.
  await page.getByLabel('User', { exact: true }).fill('alice');
  await expect(page).not.toHaveURL(/page=/);
});

test('the trail is filtered, paged and saved by keyboard', async ({ page, service }) => {
  const bob = await service.user('bob');
  for (let count = 0; count < 60; count += 1)
    await service.services.audit.record({ userId: bob, action: 'token.create', subject: `token:${count}` });
  await page.getByRole('heading', { name: 'Measurements' }).waitFor();
  await page.keyboard.press('Control+Shift+L');
  await page.getByRole('heading', { name: 'Audit trail' }).waitFor();
  await tabTo(page, 'User', 'combobox');
  await page.keyboard.type('bob');
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText('1 to 50 of 60');
  await tabTo(page, 'Events', 'region');
  const region = page.getByRole('region', { name: 'Events' });
  await page.keyboard.press('End');
  await expect.poll(() => region.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
  await tabTo(page, 'Next page');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText('51 to 60 of 60');
  await tabTo(page, 'Download CSV', 'link');
  const saved = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect(await linesOf(await saved)).toHaveLength(61);
});

test('the switches of sign-in take effect at once', async ({ page, service }) => {
  const hash = await service.services.passwords.hash('a grating of 600 lines');
  const bob = await service.user('bob');
  await service.services.users.setPassword(bob, hash);
  const body = new URLSearchParams({ grant_type: 'password', username: 'bob', password: 'a grating of 600 lines' });
  const statusOf = async (): Promise<number> =>
    (await fetch(`${service.url}/oauth/token`, { method: 'POST', body })).status;
  await page.goto(`${service.url}/ui/settings`);
  const passwords = page.getByLabel('Programs may use a user name and a password');
  const plain = page.getByLabel('Applications may be answered over plain http');
  const first = await passwords.isChecked();
  expect((await statusOf()) === 200).toBe(first);
  await passwords.click();
  await expect(passwords).toBeChecked({ checked: !first });
  await expect.poll(async () => (await statusOf()) === 200).toBe(!first);
  await plain.click();
  await expect(plain).toBeChecked();
  await page.reload();
  await expect(passwords).toBeChecked({ checked: !first });
  await expect(plain).toBeChecked();
  await lookAt(page);
  await page.goto(`${service.url}/ui/audit?action=settings.`);
  await expect(page.getByRole('region', { name: 'Events' })).toContainText('Changed a setting');
});
