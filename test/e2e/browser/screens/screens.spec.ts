import { jobOf } from '../../../renderer/fakes/fake-jobs.ts';
import { expect, test } from '../screens-fixture.ts';

test.describe('in a browser', () => {
  test('registering is replaced by the command line', async ({ page, open }) => {
    await open('/ui/measurements');
    await expect(page.getByText('benchport measurement register PATH')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Register' })).toHaveCount(0);
  });

  test('a user who is not signed in goes to the sign-in page and returns', async ({ page, open }) => {
    const service = await open('/ui/tokens', { signedIn: false });
    await page.waitForURL(/\/users\/sign_in\?return_to=%2Fui%2Ftokens/);
    expect(service.reads).toContain('session');
  });

  test('the first run needs the code and a password', async ({ page, open }) => {
    const service = await open('/ui/setup?code=abc', { needsSetup: true });
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByText('A password is needed to sign in from a browser.')).toBeVisible();
    await page.getByLabel('Password').fill('correct horse');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page).toHaveURL(/\/ui\/measurements/);
    expect(service.writes[0]).toBe('POST setup {"username":"alice","name":"alice","password":"correct horse"}');
  });

  test('the appearance can be chosen and is kept', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 3 });
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Command or measurement' })).toBeFocused();
    await page.keyboard.type('dark');
    await expect(page.getByRole('option').first()).toContainText('Appearance: dark');
    await page.keyboard.press('Enter');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  });

  test('the palette finds commands and measurements', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 300 });
    await page.getByRole('grid').waitFor();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Command or measurement' })).toBeFocused();
    await page.keyboard.type('ms-run-00299');
    await page.getByRole('option', { name: 'ms-run-00299' }).waitFor();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/ui\/measurements\/ms-run-00299/);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Command or measurement' })).toBeFocused();
    await page.keyboard.type('tok');
    await expect(page.getByRole('option').first()).toContainText('Tokens');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Tokens' })).toBeVisible();
    // Commands that start something work on every screen, and open the screen of their result.
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Command or measurement' })).toBeFocused();
    await page.keyboard.type('register an appl');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toContainText('Redirect URIs');
    await expect(page).toHaveURL(/\/ui\/applications/);
  });
});

test('a held Tab does not leave a dialog', async ({ page, open }) => {
  await open('/ui/tokens');
  await page.getByRole('button', { name: 'Revoke ms-reader' }).click();
  await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
  // The element that has the focus for one frame at the end of a dialog, before it wraps to the
  // other end.
  const kept = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-base-ui-focus-guard]')].map((guard) => {
      guard.focus();
      return !guard.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true, cancelable: true }));
    }),
  );
  expect(kept.length).toBeGreaterThan(1);
  expect(kept).not.toContain(false);
  await expect(page.getByRole('alertdialog').getByRole('button').first()).toBeFocused();
});

test.describe('tokens', () => {
  test('the secret is shown once and must be acknowledged', async ({ page, open }) => {
    const service = await open('/ui/tokens');
    await page.getByText('nightly backup').waitFor();
    await page.keyboard.press('n');
    const form = page.getByRole('dialog', { name: 'Create a token' });
    await form.getByLabel('Name').fill('bench 3');
    await form.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save token bench 3' });
    await expect(dialog.getByTestId('secret')).toHaveText(/^bppat-/);
    await expect(dialog).toContainText(
      'curl -f -H "Authorization: Bearer $BENCHPORT_TOKEN" http://127.0.0.1:7420/api/v4/measurements',
    );
    await page.keyboard.press('Escape');
    await page.mouse.click(10, 400);
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: 'I have saved it' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByText('bppat-')).toHaveCount(0);
    await expect(page.getByRole('rowheader', { name: 'bench 3' })).toBeVisible();
    expect(service.writes[0]).toMatch(/"scopes":\["read_measurement"\],"expires_at":"\d{4}-\d{2}-\d{2}"/);
  });

  test('says what expires soon, and revokes after a question', async ({ page, open }) => {
    const service = await open('/ui/tokens');
    await expect(page.getByRole('row', { name: /nightly backup/ })).toContainText(/expires (in \d+ (days|h)|tomorrow)/);
    await page.getByRole('button', { name: 'Revoke ms-reader' }).click();
    await page
      .getByRole('alertdialog', { name: 'Revoke token ms-reader?' })
      .getByRole('button', { name: 'Revoke' })
      .click();
    // The dialog hides the rows from roles.
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await expect(page.getByRole('rowheader', { name: /ms-reader/ })).toHaveCount(0);
    await expect(page.getByRole('row', { name: /nightly backup/ })).toBeFocused();
    expect(service.writes).toEqual(['DELETE personal_access_tokens/1 {}']);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });

  test('list and detail are two pages', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 100 });
    await page.getByText('ms-run-00099').click();
    await expect(page.getByRole('heading', { name: 'ms-run-00099' })).toBeVisible();
    await expect(page.getByRole('grid')).toHaveCount(0);
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await expect(page.getByRole('grid')).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  test('rows are sorted by a menu, and the actions of a measurement are in one line', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 100 });
    await page.getByRole('button', { name: 'Sort: Added, newest first' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Size' }).click();
    await expect(page).toHaveURL(/sort=total_bytes&order=desc/);
    await page.getByRole('button', { name: 'Sort: Size, largest first' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Size, largest first' }).click();
    await expect(page).toHaveURL(/sort=total_bytes&order=asc/);
    await page.getByRole('row').first().click();
    const tops = await Promise.all(
      [
        page.getByRole('link', { name: 'Download ZIP' }),
        page.getByRole('button', { name: 'Copy', exact: true }),
        page.getByRole('button', { name: 'Verify' }),
      ].map(async (control) => (await control.boundingBox())?.y),
    );
    expect(new Set(tops).size).toBe(1);
    await page.getByRole('button', { name: 'More actions' }).click();
    await expect(page.getByRole('menuitem', { name: 'Remove' })).toBeVisible();
  });
});

test('under forced colours the selected row and progress can be distinguished', async ({ page, open }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  const service = await open('/ui/measurements', { measurements: 3 });
  await expect(page.getByText('service running')).toBeVisible();
  await page.getByText('ms-run-00002').click({ modifiers: ['Control'] });
  const row = page.getByRole('row', { selected: true });
  expect(await row.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid');
  service.emit('job', jobOf(1, {}));
  const bar = page.getByRole('progressbar').locator('div');
  const [fill, track] = await bar.evaluate((element) => [
    getComputedStyle(element).backgroundColor,
    getComputedStyle(element.parentElement ?? element).backgroundColor,
  ]);
  expect(fill).not.toBe(track);
});
