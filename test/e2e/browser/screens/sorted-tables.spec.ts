import { expect, giveBridge, test } from '../screens-fixture.ts';

test('U12: servers are sorted by their headings, both ways', async ({ page, open }) => {
  await giveBridge(page);
  await open('/ui/servers', { door: 'window', servers: { servers: true } });
  const names = page.getByRole('rowheader');
  await expect(names.first()).toBeVisible();
  const before = (await names.allTextContents()).map((text) => text.toLowerCase());
  expect(before.length).toBeGreaterThan(1);
  await expect(page.getByRole('columnheader', { name: 'Server' })).toHaveAttribute('aria-sort', 'ascending');
  await page.getByRole('button', { name: 'Server', exact: true }).press('Enter');
  await expect(page.getByRole('columnheader', { name: 'Server' })).toHaveAttribute('aria-sort', 'descending');
  expect((await names.allTextContents()).map((text) => text.toLowerCase())).toEqual(before.toReversed());
  await page.getByRole('button', { name: 'State', exact: true }).click();
  await expect(page.getByRole('columnheader', { name: 'State' })).toHaveAttribute('aria-sort', 'ascending');
});

test('U12: copying several measurements shows their number', async ({ page, open, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open('/ui/measurements', { measurements: 12 });
  await page.getByRole('row').nth(2).waitFor();
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('u');
  await expect(page.getByText('12 download URLs copied')).toBeVisible();
  expect((await page.evaluate(() => navigator.clipboard.readText())).trim().split('\n')).toHaveLength(12);
});
