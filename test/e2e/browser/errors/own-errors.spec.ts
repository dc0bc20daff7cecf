import { readFile } from 'node:fs/promises';
import { lookAt } from '../look.ts';
import { expect, test } from '../signed-in.ts';

test('an administrator switches own errors on, finds one, and sees the diagnostics before saving them', async ({
  page,
  service,
}) => {
  await page.goto(`${service.url}/ui/settings`);
  const keep = page.getByLabel('Keep them in a project here');
  await expect(keep).not.toBeChecked();
  await keep.check();
  const link = page.getByRole('link', { name: 'Errors in benchport' });
  await expect(link).toBeVisible();
  const { measurements } = service.services;
  const byId = measurements.byId.bind(measurements);
  measurements.byId = async () => {
    throw new TypeError('a fault of the program');
  };
  expect((await page.request.get(`${service.url}/api/v4/measurements/qmr-1`)).status()).toBe(500);
  measurements.byId = byId;
  await link.click();
  // Errors of other requests made meanwhile do not count.
  await expect(page.getByText('a fault of the program').first()).toBeVisible();

  await page.goto(`${service.url}/ui/settings`);
  await expect(keep).toBeChecked();
  await keep.uncheck();
  await expect(link).toHaveCount(0);

  await page.getByRole('button', { name: 'Show the diagnostics' }).click();
  const dialog = page.getByRole('dialog', { name: 'Show the diagnostics' });
  await expect(dialog.getByText('Versions, system, processor, memory')).toBeVisible();
  await dialog.getByText('settings.json').click();
  await expect(dialog.getByRole('group', { name: 'settings.json' })).toContainText('"own_errors": "off"');
  await lookAt(page);
  const saving = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save as ZIP' }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toBe('benchport-diagnostics.zip');
  const bytes = await readFile(await saved.path());
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
  expect(bytes.includes('"own_errors": "off"')).toBe(true);
});
