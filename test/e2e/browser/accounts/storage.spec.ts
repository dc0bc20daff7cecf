import type { Page } from '@playwright/test';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { addUser } from '../../../service/people.ts';
import { lookAt } from '../look.ts';
import { signInElsewhere } from '../sign-in-elsewhere.ts';
import { expect, password, test } from '../signed-in.ts';

// Axe examines every element, in two themes.
test.setTimeout(120_000);

const mib = 1024 ** 2;
let dir: string;
let small: string;
let large: string;
test.beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-storage-'));
  [small, large] = [path.join(dir, 'small.bin'), path.join(dir, 'large.bin')];
  await writeFile(small, randomBytes(mib));
  await writeFile(large, randomBytes(3 * mib));
});
test.afterAll(async () => rm(dir, { recursive: true }));

async function choose(page: Page, file: string): Promise<void> {
  await page.getByRole('button', { name: 'Upload' }).first().click();
  await page.getByLabel('Choose files').setInputFiles(file);
}

test('an administrator limits what a user takes, and bad sizes are refused in words', async ({ page, service }) => {
  const bob = await addUser(service.services, 'bob', { password });
  await page.goto(`${service.url}/ui/users`);
  const open = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Actions for bob' }).click();
    await page.getByRole('menuitem', { name: 'Storage…' }).click();
  };
  await open();
  const dialog = page.getByRole('dialog', { name: 'Storage of bob' });
  const save = dialog.getByRole('button', { name: 'Save' });
  await expect(dialog.getByText('0 B used, no limit')).toBeVisible();
  await expect(dialog.getByRole('meter')).toHaveCount(0);
  await expect(save).toBeDisabled();
  await dialog.getByLabel('Limited').check();
  await expect(save).toBeDisabled();
  for (const [typed, words] of [
    ['much', '“much” is no size.'],
    ['-3', '“-3” is no size.'],
    ['1,500', '“1,500” is no size.'],
    ['99999999999999', 'This is more than any disk has.'],
  ] as const) {
    await dialog.getByLabel('Size').fill(typed);
    await expect(dialog.getByText(words)).toBeVisible();
    await expect(save).toBeDisabled();
  }
  await lookAt(page, '[role="dialog"]');
  await dialog.getByLabel('Size').fill('2,5');
  await dialog.getByLabel('Unit').selectOption('MiB');
  await save.click();
  await expect(page.getByText('The limit of bob is 2.5 MiB')).toBeVisible();
  expect(await service.services.quotas.ofUser(bob.id)).toMatchObject({ quotaBytes: 2.5 * mib });
  await open();
  await expect(dialog.getByText('0 B of 2.5 MiB used')).toBeVisible();
  await expect(dialog.getByLabel('Size')).toHaveValue('2.5');
  await expect(save).toBeDisabled();
  await page.route('**/quota', (route) => route.abort());
  await dialog.getByLabel('No limit').check();
  await save.click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await page.unroute('**/quota');
  await save.click();
  await expect(page.getByText('bob has no limit')).toBeVisible();
  expect(await service.services.quotas.ofUser(bob.id)).toMatchObject({ quotaBytes: null });
});

test('users see what they take, and an upload that cannot fit is refused before it is sent', async ({
  page,
  service,
  browser,
}) => {
  const bob = await addUser(service.services, 'bob', { password });
  await service.services.quotas.setOfUser(bob.id, 2 * mib);
  const his = await signInElsewhere(browser, service.url, 'bob', password);
  await his.goto(`${service.url}/ui/account`);
  const storage = his.getByRole('region', { name: 'Storage' });
  await expect(storage).toContainText('0 B of 2.0 MiB used');
  await his.goto(`${service.url}/ui/measurements`);
  await choose(his, large);
  const dialog = his.getByRole('dialog');
  await expect(dialog.getByText('Your limit: 0 B of 2.0 MiB used.')).toBeVisible();
  await expect(dialog.getByRole('alert')).toContainText('It does not fit: it has 3.0 MiB. Your limit is 2.0 MiB');
  await expect(dialog.getByRole('button', { name: 'Upload' })).toBeDisabled();
  await lookAt(his, '[role="dialog"]');
  await his.keyboard.press('Escape');
  await choose(his, small);
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await expect(his.getByText('small is registered')).toBeVisible({ timeout: 30_000 });
  const token = await service.token(bob.id, ['write_measurement']);
  const begun = await page.request.post(`${service.url}/api/v4/measurements/uploads`, {
    headers: {
      authorization: `Bearer ${token}`,
      'tus-resumable': '1.0.0',
      'upload-length': String(mib / 2),
      'upload-metadata': `id ${btoa('half')},filename ${btoa('half.bin')}`,
    },
  });
  expect(begun.status()).toBe(201);
  await his.goto(`${service.url}/ui/account`);
  await expect(storage).toContainText('1.5 MiB of 2.0 MiB used');
  await expect(storage).toContainText('Uploads that are not registered yet 512 KiB');
  await expect(storage.getByRole('meter', { name: 'Your storage' })).toHaveAttribute('aria-valuenow', '75');
  await lookAt(his);
  await his.request.delete(`${service.url}/api/v4/measurements/small`, {
    headers: { authorization: `Bearer ${await service.token(bob.id, ['api'])}` },
  });
  await expect(storage).toContainText('Removed, can be restored 1.0 MiB');
  await his.context().close();
});

test('members see what their project takes, and administrators limit it', async ({ page, service, browser }) => {
  const { projects } = service.services;
  const project = await projects.create('lab/qmr', 'QMR');
  const bob = await addUser(service.services, 'bob', { password });
  await projects.setMember(project?.id ?? 0, bob.id, 'developer');
  const settings = `${service.url}/ui/projects/${encodeURIComponent('lab/qmr')}/settings?tab=general`;
  await page.goto(settings);
  const storage = page.getByRole('region', { name: 'Storage' });
  await expect(storage).toContainText('0 B used, no limit');
  await storage.getByRole('button', { name: 'Change the limit…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Storage of lab/qmr' });
  await dialog.getByLabel('Limited').check();
  await dialog.getByLabel('Size').fill('2');
  await dialog.getByLabel('Unit').selectOption('MiB');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(storage).toContainText('0 B of 2.0 MiB used');
  await lookAt(page);
  const his = await signInElsewhere(browser, service.url, 'bob', password);
  await his.goto(settings);
  await expect(his.getByRole('region', { name: 'Storage' })).toContainText('0 B of 2.0 MiB used');
  await expect(his.getByRole('button', { name: 'Change the limit…' })).toHaveCount(0);
  await his.goto(`${service.url}/ui/measurements`);
  await choose(his, large);
  const upload = his.getByRole('dialog');
  await expect(upload.getByRole('button', { name: 'Upload' })).toBeEnabled();
  await upload.getByLabel('Project').selectOption('lab/qmr');
  await expect(upload.getByRole('alert')).toContainText('The limit of lab/qmr is 2.0 MiB');
  await expect(upload.getByRole('button', { name: 'Upload' })).toBeDisabled();
  await his.context().close();
});
