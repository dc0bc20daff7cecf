import type { Page } from '@playwright/test';
import { lookAt } from '../look.ts';
import { expect, test } from '../screens-fixture.ts';

const options = (page: Page) => page.getByRole('option');

async function type(page: Page, text: string): Promise<void> {
  await page.getByRole('grid').waitFor();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type(text);
}

test('U14: the named command is first, destructive ones are last', async ({ page, open }) => {
  await open('/ui/measurements', { measurements: 3 });
  await type(page, 'nightly backup');
  await expect(options(page).last()).toContainText('Revoke nightly backup…');
  await expect(options(page).first()).toContainText('Token');
  await expect(options(page).first()).not.toContainText('Revoke');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/ui\/tokens\?search=nightly/);
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

test('it finds errors, projects, applications and, for administrators, users', async ({ page, open }) => {
  const service = await open('/ui/measurements', { measurements: 3, tracking: { errors: 12 } });
  await type(page, 'DetectorTimeout');
  await expect(options(page).first()).toContainText('DetectorTimeout: no frame');
  expect(await options(page).count()).toBeLessThanOrEqual(5);
  await lookAt(page, '[role="dialog"]');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/ui\/projects\/.*\/errors\/\d+$/);
  await page.goto(`${service.url}/ui/measurements`);
  await type(page, 'Quantum magnetometry');
  await expect(options(page).first()).toContainText('lab/qmr');
  await page.getByRole('combobox').fill('bob');
  await expect(options(page).filter({ hasText: 'User' }).first()).toContainText('bob');
  const asked = service.reads.filter((read) => read.startsWith('users/managed') || read.startsWith('errors?'));
  expect(asked.length).toBeGreaterThan(0);
  for (const read of asked) expect(read).toMatch(/(per_page|limit)=5\b/);
});

test('letters typed at once are one search; outdated results are dropped, and a missing one blocks nothing', async ({
  page,
  open,
}) => {
  const service = await open('/ui/measurements', { measurements: 30, tracking: { errors: 12 } });
  // The search for errors hangs.
  await page.route(/\/api\/v4\/errors\?.*limit=5\b/, () => undefined);
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/api\/v4\/measurements\?.*per_page=5.*search=qmr/, async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  await type(page, 'qmr');
  await expect
    .poll(() => service.reads.some((read) => read.startsWith('personal_access_tokens?') && read.includes('search=qmr')))
    .toBe(true);
  expect(
    service.reads.filter((read) => read.startsWith('personal_access_tokens?') && /search=qm?(&|$)/.test(read)),
  ).toEqual([]);
  await page.getByRole('combobox').fill('afm-scan');
  await expect(options(page).first()).toContainText('afm-scan');
  release();
  await expect(options(page).filter({ hasText: 'qmr-2026' })).toHaveCount(0);
  await page.getByRole('combobox').fill('tokens');
  await expect(options(page).first()).toContainText('Tokens');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/ui\/tokens$/);
});
