import type { Page } from '@playwright/test';
import { lookAt } from '../look.ts';
import { narrow, sendEvent, settingsOf, trackedProject } from './projects-world.ts';
import { expect, tabTo, test } from '../signed-in.ts';

// Axe examines every element, in two themes.
test.setTimeout(120_000);

const path = 'lab/spectrometer';
const dialog = '[role="dialog"], [role="alertdialog"]';

/** The text that a button copies, read from the page's call of the clipboard. */
async function keepCopied(page: Page): Promise<() => Promise<string>> {
  await page.evaluate(() => {
    Object.assign(window, { copied: '' });
    navigator.clipboard.writeText = async (text) => {
      Object.assign(window, { copied: text });
    };
  });
  return () => page.evaluate(() => (window as unknown as { copied: string }).copied);
}

test('by keyboard a project is created, and an event is accepted with its DSN', async ({ page, service }) => {
  await page.keyboard.press('Control+8');
  await expect(page.getByRole('heading', { name: 'Projects' })).toBeVisible();
  await expect(page.getByText('A project brings together the errors of a program')).toBeVisible();
  await lookAt(page);
  await page.keyboard.press('n');
  const create = page.getByRole('dialog', { name: 'Create a project' });
  await expect(create.getByLabel('Path', { exact: true })).toBeFocused();
  await page.keyboard.type('lab/-/x');
  await expect(create.getByText('no part begins with a dot or a hyphen')).toBeVisible();
  await lookAt(page, dialog);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(path);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/projects\/lab%2Fspectrometer\/settings$/);

  await expect(page.getByRole('heading', { name: 'Error tracking' })).toBeVisible();
  await lookAt(page);
  await expect(page.getByLabel('Active')).toBeChecked();
  await expect(page.getByRole('grid', { name: 'Client keys' })).toContainText('never');

  const copied = await keepCopied(page);
  await expect(page.locator('main')).not.toContainText(/bpk_[0-9a-f]{8}/);
  await tabTo(page, 'Copy the DSN');
  await page.keyboard.press('Enter');
  await expect
    .poll(copied)
    .toMatch(/^http:\/\/bpk_[0-9a-f]{32}@127\.0\.0\.1:\d+\/api\/v4\/error_tracking\/collector\/\d+$/);
  const dsn = await copied();
  expect(new URL(dsn).port).toBe(new URL(service.url).port);
  await page.getByText('Deprecated form', { exact: true }).focus();
  await page.keyboard.press('Enter');
  await tabTo(page, 'Copy the deprecated DSN');
  await page.keyboard.press('Enter');
  await expect.poll(copied).toMatch(/^http:\/\/bpk_[0-9a-f]{32}:[0-9a-f]{32}@/);
  await tabTo(page, 'Reveal');
  await page.keyboard.press('Enter');
  await expect(page.getByText(dsn, { exact: true })).toBeVisible();
  await lookAt(page);

  expect(await sendEvent(dsn)).toBe(200);
  const row = page.getByRole('grid', { name: 'Client keys' }).getByRole('row').nth(1);
  await expect(row).toContainText('just now');
  await expect(row.getByRole('gridcell').nth(2)).toHaveText('1');
  await narrow(page);
  await lookAt(page);
});

test('each of the seven SDKs has its sample with the real DSN, which is hidden until it is revealed', async ({
  page,
  service,
}) => {
  await trackedProject(page, service);
  await page.goto(settingsOf(service, path));
  const copied = await keepCopied(page);
  await page.getByRole('button', { name: 'Copy the DSN', exact: true }).click();
  const dsn = await copied();
  const versions = {
    Go: '0.20.0',
    Java: '6.18.1',
    NodeJS: '7.38.0',
    PHP: '3.18.0',
    Python: '1.21.0',
    Ruby: '5.9.0',
    Rust: '0.31.0',
  };
  for (const [language, version] of Object.entries(versions)) {
    await page.getByRole('tab', { name: language, exact: true }).click();
    const panel = page.getByRole('tabpanel', { name: language });
    await expect(panel.locator('pre').first()).toContainText(version);
    await expect(panel.locator('pre').nth(1)).not.toContainText('bpk_');
    await panel.getByRole('button', { name: `Copy the ${language} program` }).click();
    expect(await copied()).toContain(dsn);
    await lookAt(page, '[role="tabpanel"]:not([hidden])');
  }
  await page.getByRole('button', { name: 'Reveal', exact: true }).click();
  await expect(page.getByRole('tabpanel', { name: 'Rust' }).locator('pre').nth(1)).toContainText(dsn);
});

test('a test event is sent, and its failure is shown beside the button', async ({ page, service }) => {
  await trackedProject(page, service);
  await page.goto(settingsOf(service, path));
  await page.getByRole('button', { name: 'Send test event' }).waitFor();
  await page.keyboard.press('t');
  await expect(page.getByText(/Stored as event [0-9a-f]{32}/)).toBeVisible();
  await lookAt(page);
  await page.route('**/test_event', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: JSON.stringify({ title: 'Too busy', detail: 'Try again in a minute.', status: 503 }),
    }),
  );
  await page.keyboard.press('t');
  await expect(page.getByRole('alert')).toContainText('Try again in a minute.');
  await expect(page.getByText('Stored as event')).toHaveCount(0);
});

test('a key is rotated in three steps: the old DSN works until the last one', async ({ page, service }) => {
  await trackedProject(page, service);
  await page.goto(settingsOf(service, path));
  const copied = await keepCopied(page);
  await page.getByRole('button', { name: 'Copy the DSN', exact: true }).click();
  const old = await copied();
  await page.keyboard.press('r');
  const steps = page.getByRole('dialog', { name: 'Rotate a client key' });
  await expect(steps.getByText('Available once there is a new key.')).toBeVisible();
  await lookAt(page, dialog);
  await tabTo(page, 'Create key');
  await page.keyboard.press('Enter');
  await expect(steps.getByText('is in the list, and not yet used')).toBeVisible();
  await steps.getByRole('button', { name: 'Copy the new DSN' }).click();
  const fresh = await copied();
  expect(fresh).not.toBe(old);

  expect(await sendEvent(old)).toBe(200);
  await steps.getByRole('radio', { name: 'Key 1' }).check();
  await expect(steps.getByText('a program still has its DSN')).toBeVisible();
  await lookAt(page, dialog);
  await steps.getByRole('button', { name: 'Delete key 1…' }).click();
  const confirm = page.getByRole('alertdialog', { name: 'Delete client key 1?' });
  await expect(confirm).toContainText('Programs have sent 1 event with it');
  await expect(confirm.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await lookAt(page, '[role="alertdialog"]');
  await confirm.getByRole('button', { name: 'Delete' }).click();
  await expect(steps.getByText('It has been deleted.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('grid', { name: 'Client keys' }).getByRole('row')).toHaveCount(2);
  expect(await sendEvent(old)).not.toBe(200);
  expect(await sendEvent(fresh)).toBe(200);
});
