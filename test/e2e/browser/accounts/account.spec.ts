import type { Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { encode } from 'uqr';
import { lookAt } from '../look.ts';
import { codeOf, expectRefused, signInElsewhere } from '../sign-in-elsewhere.ts';
import { expect, forgetConfirmations, password, tabTo, test } from '../signed-in.ts';

// Axe examines every element, in two themes.
test.setTimeout(120_000);

const dialog = '[role="dialog"], [role="alertdialog"]';
const nextPassword = 'second light at 3 kelvin';
test('the account shows its user, and an administrator changes name and address', async ({ page, service }) => {
  await page.getByRole('button', { name: 'Signed in as alice' }).click();
  await page.getByRole('menuitem', { name: 'Account' }).click();
  await expect(page).toHaveURL(`${service.url}/ui/account`);
  await lookAt(page);
  await page.getByRole('button', { name: 'Change name or address' }).click();
  const form = page.getByRole('dialog', { name: 'Change name or address' });
  // Roles and passwords are changed on other screens.
  await expect(form.getByLabel('Administrator')).toHaveCount(0);
  await form.getByLabel('Full name').fill('Alice of the cryostat');
  await form.getByLabel('E-mail address').fill('alice@lab.example');
  await form.getByRole('button', { name: 'Save' }).click();
  const profile = page.getByRole('region', { name: 'Name and address' });
  await expect(profile).toContainText('Alice of the cryostat');
  await expect(profile).toContainText('alice@lab.example');
  await page.getByRole('button', { name: 'Signed in as alice' }).click();
  await expect(page.getByText('Alice of the cryostat, administrator')).toBeVisible();
});

test('S102 a changed password ends the other sign-ins, keeps this one, and ends tokens only when asked', async ({
  page,
  service,
  browser,
}) => {
  await page.goto(`${service.url}/ui/account`);
  const other = await signInElsewhere(browser, service.url, 'alice', password);
  await other.getByRole('heading', { name: 'Account' }).waitFor();
  const owner = await service.services.users.byUsername('alice');
  const token = await service.token(owner?.id ?? 0, ['api']);
  const statusOf = async (): Promise<number> =>
    (await fetch(`${service.url}/api/v4/user`, { headers: { authorization: `Bearer ${token}` } })).status;

  await page.getByRole('button', { name: 'Change password' }).click();
  const form = page.getByRole('dialog', { name: 'Change the password' });
  const submit = form.getByRole('button', { name: 'Change password' });
  await expect(form.getByLabel('Current password')).toBeFocused();
  await form.getByLabel('Current password').fill('not it at all');
  await form.getByLabel('New password').fill('short');
  await expect(form.getByText('so 3 more')).toBeVisible();
  await expect(submit).toBeDisabled();
  await form.getByLabel('New password').fill('password123');
  await form.getByLabel('Show the passwords').check();
  await expect(form.getByLabel('Current password')).toHaveAttribute('type', 'text');
  await submit.click();
  await expect(form.getByRole('alert')).toContainText('This password is wrong');
  await lookAt(page, dialog);
  await form.getByLabel('Current password').fill(password);
  await submit.click();
  // The service refuses common passwords.
  await expect(form.getByRole('alert')).not.toContainText('This password is wrong');
  await expect(form.getByRole('alert')).toBeVisible();
  await form.getByLabel('New password').fill(nextPassword);
  await submit.click();
  await expect(page.getByText('Password changed')).toBeVisible();
  await expect(page.getByText('Other sign-ins have ended.')).toBeVisible();
  expect(await statusOf()).toBe(200);

  await expect(other).toHaveURL(/sign_in/);
  await other.context().close();
  await expectRefused(browser, service.url, 'alice', password);

  // This session stays valid, for writes too.
  await page.getByRole('button', { name: 'Change password' }).click();
  await form.getByLabel('Current password').fill(nextPassword);
  await form.getByLabel('New password').fill(password);
  await form.getByLabel('Also end tokens and applications').check();
  await submit.click();
  await expect(page.getByText('Other sign-ins, tokens and applications have ended.')).toBeVisible();
  expect(await statusOf()).toBe(401);
});

test('an authenticator is set up, signs in and is turned off by keyboard', async ({ page, service, browser }) => {
  await page.getByRole('heading', { name: 'Measurements' }).waitFor();
  await page.keyboard.press('Control+Shift+A');
  const given = page.waitForResponse('**/api/v4/user/totp');
  await tabTo(page, 'Set up authenticator');
  await page.keyboard.press('Enter');
  const setUp = page.getByRole('dialog', { name: 'Set up the authenticator' });
  const secret = await setUp.getByTestId('totp-secret').innerText();
  expect(secret).toMatch(/^([A-Z2-7]{4} )*[A-Z2-7]{1,4}$/);
  await expect(setUp.getByLabel('Code shown now')).toBeFocused();
  await lookAt(page, dialog);

  // The picture contains the service's key and the name of the account, as a camera reads it.
  const { uri } = (await (await given).json()) as { uri: string };
  expect(new URL(uri).searchParams.get('secret')).toBe(secret.replaceAll(' ', ''));
  const squares = encode(uri, { ecc: 'M', border: 4 }).data.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  await expect(setUp.getByRole('img', { name: 'QR code that holds the key' }).locator('path')).toHaveAttribute(
    'd',
    squares.join(''),
  );

  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(setUp.getByRole('alert')).toContainText('This code is wrong');
  await setUp.getByLabel('Code shown now').press('Control+a');
  await page.keyboard.type(await codeOf(secret));
  await page.keyboard.press('Enter');

  const save = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await expect(save.getByRole('listitem')).toHaveCount(10);
  const codes = await save.getByRole('listitem').allInnerTexts();
  expect(new Set(codes).size).toBe(10);
  await lookAt(page, dialog);
  // The codes must be acknowledged.
  await page.keyboard.press('Escape');
  await expect(save).toBeVisible();
  await tabTo(page, 'Download');
  const saved = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await saved).suggestedFilename()).toBe('benchport-recovery-codes-alice.txt');
  const file = await readFile(await (await saved).path(), 'utf8');
  for (const code of codes) expect(file).toContain(code);
  await tabTo(page, 'I have saved them');
  await page.keyboard.press('Enter');
  await expect(save).toHaveCount(0);
  await expect(page.getByText(codes[0] ?? '')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Recovery codes' })).toContainText('10 left');
  await lookAt(page);

  // A code of the next time step, computed independently, because each works once; then a recovery
  // code.
  const withCode = await signInElsewhere(browser, service.url, 'alice', password);
  await withCode
    .getByLabel(/code/i)
    .first()
    .fill(await codeOf(secret, 30));
  await withCode.keyboard.press('Enter');
  await expect(withCode.getByRole('heading', { name: 'Account' })).toBeVisible();
  await withCode.context().close();
  const withRecovery = await signInElsewhere(browser, service.url, 'alice', password);
  await withRecovery
    .getByLabel(/code/i)
    .first()
    .fill(codes[0] ?? '');
  await withRecovery.keyboard.press('Enter');
  await expect(withRecovery.getByRole('region', { name: 'Recovery codes' })).toContainText('9 left');
  await withRecovery.context().close();

  // S100: removing protection needs the password again when the sign-in was long ago.
  forgetConfirmations(service);
  await tabTo(page, 'Turn off');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog', { name: 'Turn the authenticator off?' })).toBeVisible();
  await tabTo(page, /^Turn off$/);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).press('Enter');
  await expect(page.getByLabel('Password of alice')).toBeFocused();
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('The authenticator is off')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Recovery codes' })).toHaveCount(0);
});

test('new recovery codes replace the old ones', async ({ page, service, browser }) => {
  await page.goto(`${service.url}/ui/account`);
  await page.getByRole('button', { name: 'Set up authenticator' }).click();
  const secret = await page.getByTestId('totp-secret').innerText();
  await page.getByLabel('Code shown now').fill(await codeOf(secret));
  await page.keyboard.press('Enter');
  const save = page.getByRole('dialog', { name: 'Save your recovery codes' });
  const before = await save.getByRole('listitem').allInnerTexts();
  await save.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByRole('button', { name: 'New recovery codes' }).click();
  await lookAt(page, dialog);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Make codes' }).click();
  await save.waitFor();
  const after = await save.getByRole('listitem').allInnerTexts();
  expect(after.filter((code) => before.includes(code))).toEqual([]);
  await save.getByRole('button', { name: 'I have saved them' }).click();

  const other = await signInElsewhere(browser, service.url, 'alice', password);
  await other
    .getByLabel(/code/i)
    .first()
    .fill(before[0] ?? '');
  await other.keyboard.press('Enter');
  await expect(other.getByRole('heading', { name: 'Account' })).toHaveCount(0);
  await other
    .getByLabel(/code/i)
    .first()
    .fill(after[0] ?? '');
  await other.keyboard.press('Enter');
  await expect(other.getByRole('heading', { name: 'Account' })).toBeVisible();
  await other.context().close();
});

test('sign-ins are listed, one is ended, then all others', async ({ page, service, browser }) => {
  const pages: Page[] = [];
  for (let count = 0; count < 3; count += 1) {
    const other = await signInElsewhere(browser, service.url, 'alice', password);
    await other.getByRole('heading', { name: 'Account' }).waitFor();
    pages.push(other);
  }
  await page.goto(`${service.url}/ui/account`);
  const list = page.getByRole('list', { name: 'Sign-ins' });
  await expect(list.getByRole('listitem')).toHaveCount(4);
  await expect(list.getByText('Chrome on Linux, this one')).toHaveCount(1);
  await list.getByRole('button', { name: 'Sign out Chrome on Linux at 127.0.0.1' }).first().click();
  await expect(page.getByRole('alertdialog')).toContainText('It has to sign in again.');
  await lookAt(page, dialog);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(3);
  await expect.poll(() => pages.filter((other) => other.url().includes('sign_in')).length).toBe(1);

  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await expect.poll(() => pages.filter((other) => other.url().includes('sign_in')).length).toBe(3);
  await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toHaveCount(0);
  for (const other of pages) await other.context().close();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });
  test('the account, its users and its trail can be reached without accessibility violations', async ({
    page,
    service,
  }) => {
    await page.goto(`${service.url}/ui/measurements`);
    for (const [entry, heading] of [
      ['Account', 'Account'],
      ['Users', 'Users'],
      ['Audit trail', 'Audit trail'],
    ] as const) {
      await page.getByRole('button', { name: 'Signed in as alice' }).click();
      await page.getByRole('menuitem', { name: entry }).click();
      await page.getByRole('heading', { name: heading }).waitFor();
      await lookAt(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    }
  });
});
