import { expect, test } from '../screens-fixture.ts';

test.describe('the palette', () => {
  test('offers recent commands and objects, also after a reload', async ({ page, open }) => {
    await open('/ui/measurements/afm-scan-00096', { measurements: 100 });
    await page.getByText('README.txt').waitFor();
    await page.keyboard.press('Control+k');
    const box = page.getByRole('combobox', { name: 'Command or measurement' });
    await expect(box).toBeFocused();
    await page.keyboard.type('appearance light');
    await expect(page.getByRole('option').first()).toContainText('Appearance: light');
    await page.keyboard.press('Enter');
    // The result of a command is visible shortly after the palette has closed.
    await expect.poll(() => page.evaluate(() => JSON.stringify(Object.values(localStorage)))).toContain('light');
    await page.reload();
    await page.getByText('README.txt').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await expect(box).toBeFocused();
    const options = page.getByRole('option');
    await expect(options.nth(0)).toContainText('Recent');
    await expect(options.nth(0)).toContainText('afm-scan-00096');
    await expect(options.nth(1)).toContainText('Appearance: light');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/ui\/measurements\/afm-scan-00096/);
  });

  test('revokes a token by its name, from any screen, after a question', async ({ page, open }) => {
    const service = await open('/ui/measurements', { measurements: 3 });
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Command or measurement' })).toBeFocused();
    await page.keyboard.type('revoke nightly');
    await page.getByRole('option', { name: 'Revoke nightly backup' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Revoke token nightly backup?' });
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await expect(page.getByRole('rowheader', { name: 'nightly backup' })).toHaveCount(0);
    await expect(page).toHaveURL(/\/ui\/tokens$/);
    expect(service.writes).toEqual(['DELETE personal_access_tokens/2 {}']);
  });
});

test('rows of tokens are selected with arrows and letters; Delete and Ctrl Backspace ask to revoke', async ({
  page,
  open,
}) => {
  await open('/ui/tokens');
  const rows = page.getByRole('row');
  await page.getByText('nightly backup').waitFor();
  await rows.nth(1).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('row', { name: /nightly backup/ })).toBeFocused();
  await page.keyboard.press('j');
  await expect(page.getByRole('row', { name: /notebook/ })).toBeFocused();
  await page.keyboard.press('k');
  await page.keyboard.press('Delete');
  const dialog = page.getByRole('alertdialog', { name: 'Revoke token nightly backup?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('row', { name: /nightly backup/ })).toBeFocused();
  await page.keyboard.press('Control+Backspace');
  await expect(dialog).toBeVisible();
});
