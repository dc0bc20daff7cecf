import { expect, expectAccessible, test } from '../screens-fixture.ts';

test('several that were removed are restored at once', async ({ page, open }) => {
  await open('/ui/measurements', { measurements: 30 });
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('30 measurements removed')).toBeVisible();
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('30 measurements restored')).toBeVisible();
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '31');
});

test('what was removed is listed, restored, and removed for good after a question', async ({ page, open }) => {
  const service = await open('/ui/measurements', { measurements: 3, removed: 500 });
  await page.getByRole('grid').focus();
  await page.keyboard.press('Shift+R');
  const dialog = page.getByRole('dialog', { name: 'Removed measurements' });
  await expect(dialog.getByRole('listitem')).toHaveCount(50);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Show older, 450 more' }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(100);

  const first = dialog.getByRole('listitem').first();
  const name = (await first.getAttribute('aria-label'))?.replace(', removed', '') ?? '';
  await first.getByRole('button', { name: `Restore ${name}` }).click();
  await expect(page.getByText(`${name} restored`)).toBeVisible();
  await expect(dialog.getByRole('button', { name: `Restore ${name}` })).toHaveCount(0);

  const second = dialog.getByRole('listitem').first();
  const other = (await second.getAttribute('aria-label'))?.replace(', removed', '') ?? '';
  await second.getByRole('button', { name: `Remove ${other} for good…` }).click();
  const question = page.getByRole('alertdialog', { name: `Remove ${other} for good?` });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Remove for good' }).click();
  await expect(question).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: `Restore ${other}` })).toHaveCount(0);
  expect(service.writes.map((write) => write.split(' ')[0])).toEqual(['POST', 'DELETE']);
});

test('an empty list says so, and a failure can be retried', async ({ page, open }) => {
  await open('/ui/measurements', { measurements: 3 });
  await page.getByRole('button', { name: 'Removed measurements' }).click();
  await expect(page.getByText('There is nothing to restore.')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Removed measurements' })).toBeFocused();
  await page.route('**/api/v4/removed_measurements*', (asked) => asked.abort());
  await page.reload();
  await page.getByRole('button', { name: 'Removed measurements' }).click();
  await page.unroute('**/api/v4/removed_measurements*');
  await expect(page.getByText('There is nothing to restore.')).toBeVisible({ timeout: 60_000 });
});

test('an empty list says how many can be restored, and leads there', async ({ page, open }) => {
  await open('/ui/measurements', { measurements: 2, door: 'browser' });
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('There are no measurements.')).toBeVisible();
  await expect(page.getByText('2 removed measurements can be restored.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show them' }).click();
  const dialog = page.getByRole('dialog', { name: 'Removed measurements' });
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await dialog
    .getByRole('button', { name: /^Restore/ })
    .first()
    .click();
  await expect(page.getByText('restored', { exact: false }).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('grid')).toBeVisible();
});
