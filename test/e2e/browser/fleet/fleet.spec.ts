import { lookAt } from '../look.ts';
import { expect, expectAccessible, test } from '../screens-fixture.ts';

const twelve = { fleet: { benches: 12 } };

test('benches that need somebody stand first, with the reason', async ({ page, open }) => {
  await open('/ui/benches', twelve);
  const rows = page.getByRole('grid', { name: 'Benches' }).locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(12);
  await expect(rows.nth(0)).toContainText('Silent');
  await expect(rows.nth(1)).toContainText('Disk almost full · Backlog older than a day');
  await expect(rows.nth(11)).toContainText('Closed');
  await expect(page.getByRole('link', { name: /^Benches/ })).toContainText('5 need somebody');
  await lookAt(page);
  await expectAccessible(page);
});

test('the list is filtered, searched and sorted, all in the address', async ({ page, open }) => {
  await open('/ui/benches', twelve);
  const rows = page.getByRole('grid', { name: 'Benches' }).locator('tbody').getByRole('row');
  await page.getByRole('button', { name: 'Off or away 3' }).click();
  await expect(rows).toHaveCount(3);
  await expect(page).toHaveURL(/filter=gone$/);
  await page.getByRole('button', { name: 'All 12' }).click();
  await page.getByRole('searchbox', { name: 'Search benches' }).fill('xrd');
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/search=xrd$/);
  await page.getByRole('searchbox', { name: 'Search benches' }).fill('nothing like this');
  await expect(page.getByText('No bench matches “nothing like this”.')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search benches' }).fill('');
  await page.getByRole('columnheader', { name: 'Bench' }).getByRole('button').click();
  await expect(page).toHaveURL(/sort=name/);
  await expect(rows.first()).toContainText('afm-10');
});

test('the keyboard opens a bench, and its name and what is told of it are changed', async ({ page, open }) => {
  const service = await open('/ui/benches', twelve);
  const rows = page.getByRole('grid', { name: 'Benches' }).locator('tbody').getByRole('row');
  await rows.first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const detail = page.getByRole('complementary', { name: 'Bench' });
  await expect(detail.getByRole('heading', { name: 'ms-orbitrap-1' })).toBeVisible();
  await expect(detail).toContainText('214 copies, 840 GiB');
  await expect(detail.getByRole('region', { name: 'When it was away' }).getByRole('listitem')).toHaveCount(4);
  await lookAt(page);
  await expectAccessible(page);
  await detail.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit ms-orbitrap-1' });
  await dialog.getByLabel('Name').fill('Orbitrap');
  await dialog.getByLabel('Tell of its silence').selectOption('always-on');
  await expectAccessible(page, { within: '[role="dialog"]' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(detail.getByRole('heading', { name: 'Orbitrap' })).toBeVisible();
  expect(service.writes.at(-1)).toContain('{"name":"Orbitrap","note":"","expected":"always-on"}');
  await page.keyboard.press('Escape');
  await expect(detail).toBeHidden();
  await expect(rows.nth(1)).toBeFocused();
});

test('a bench is removed after a question', async ({ page, open }) => {
  const service = await open('/ui/benches/bench-008', twelve);
  await page.getByRole('button', { name: 'Remove' }).click();
  const question = page.getByRole('alertdialog', { name: 'Remove nmr-400-8 from the list?' });
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('grid', { name: 'Benches' }).locator('tbody').getByRole('row')).toHaveCount(11);
  expect(service.writes.at(-1)).toMatch(/^DELETE fleet\/benches\/bench-008/);
});

test('an empty fleet says how a bench appears, and a server that hears nobody is said once', async ({ page, open }) => {
  await open('/ui/benches');
  await expect(page.getByText('No bench reports to this server yet.')).toBeVisible();
  await expectAccessible(page);
  await open('/ui/benches', { fleet: { benches: 12, cutOff: true } });
  await expect(page.getByText('No bench at all is heard.')).toBeVisible();
  await expect(page.getByText('Not heard')).toHaveCount(8);
  await expectAccessible(page);
});

test('five hundred benches are pages of a hundred', async ({ page, open }) => {
  await open('/ui/benches', { fleet: { benches: 500 } });
  const rows = page.getByRole('grid', { name: 'Benches' }).locator('tbody').getByRole('row');
  await expect(rows).toHaveCount(100);
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByText('101 to 200 of 500')).toBeVisible();
  await expect(page).toHaveURL(/page=2$/);
});

test('others than administrators are told that the screen is not for them', async ({ page, open }) => {
  await open('/ui/benches', { ...twelve, accounts: { admin: false } });
  await expect(page.getByRole('link', { name: /^Benches/ })).toHaveCount(0);
  await expect(page.getByRole('grid', { name: 'Benches' })).toHaveCount(0);
});
