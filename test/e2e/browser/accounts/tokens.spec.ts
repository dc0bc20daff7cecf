import type { Page } from '@playwright/test';
import { expect, forgetConfirmations, password, runShown, tabTo, test } from '../signed-in.ts';

// Each test hashes several passwords.
test.setTimeout(90_000);

/** The secret and its commands are shown only once. */
async function readSecret(page: Page): Promise<{ readonly token: string; readonly commands: string }> {
  const dialog = page.getByRole('dialog');
  const token = await dialog.getByTestId('secret').innerText();
  const commands = await dialog.locator('pre').innerText();
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  await expect(dialog).toHaveCount(0);
  return { token, commands };
}

test('a token is created from a link, used by the shown commands, rotated and revoked', async ({ page, service }) => {
  // GitLab's address, as programs print it, leads to the screen.
  await page.goto(`${service.url}/-/profile/personal_access_tokens?name=bench%203&scopes=read_user,sudo`);
  const form = page.getByRole('dialog', { name: 'Create a token' });
  await expect(form.getByLabel('Name')).toHaveValue('bench 3');
  await expect(form.getByLabel('read_user')).toBeChecked();
  await expect(form.getByLabel('read_measurement')).not.toBeChecked();
  await expect(form).toContainText('It also asks for sudo, which a token cannot have here.');
  await expect(form.getByLabel('Expires')).toHaveValue('30');
  await form.getByRole('button', { name: 'Create token' }).click();
  const first = await readSecret(page);
  await expect(page).toHaveURL(/\/ui\/tokens$/);
  expect(first.token).toMatch(/^bppat-/);
  expect(first.commands).not.toContain(first.token);
  expect(JSON.parse(await runShown(first.commands, [first.token]))).toMatchObject({ username: 'alice' });

  const row = page.getByRole('row', { name: /bench 3/ });
  // The last use is written with a delay.
  await expect(async () => {
    await page.reload();
    await expect(row).toContainText('127.0.0.1', { timeout: 2000 });
  }).toPass();
  await row.getByRole('button', { name: 'Rotate bench 3' }).click();
  await page.getByRole('dialog', { name: 'Rotate token bench 3?' }).getByRole('button', { name: 'Rotate' }).click();
  const second = await readSecret(page);
  expect(second.token).not.toBe(first.token);
  expect(JSON.parse(await runShown(second.commands, [second.token]))).toMatchObject({ username: 'alice' });

  await expect(page.getByRole('button', { name: 'Active 1' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Revoked or expired 1' }).click();
  await expect(page.getByRole('row', { name: /bench 3/ })).toContainText('revoked');
  await page.getByRole('button', { name: 'Active 1' }).click();
  await page.getByRole('button', { name: 'Revoke bench 3' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByRole('button', { name: 'Revoked or expired 2' })).toBeVisible();
  await expect(runShown(second.commands, [second.token])).rejects.toThrow('401');
});

test('S90 using a rotated token ends the new one too, as the dialog warns, and the screen shows it', async ({
  page,
  service,
}) => {
  await page.goto(`${service.url}/ui/tokens?name=bench%203&scopes=read_user`);
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
  const first = await readSecret(page);
  await page.getByRole('button', { name: 'Rotate bench 3' }).click();
  const ask = page.getByRole('dialog', { name: 'Rotate token bench 3?' });
  await expect(ask).toContainText('First stop everything that uses the old one.');
  await ask.getByRole('button', { name: 'Rotate' }).click();
  const second = await readSecret(page);
  await expect(runShown(first.commands, [first.token])).rejects.toThrow('401');
  await expect(page.getByRole('button', { name: 'Revoked or expired 2' })).toBeVisible();
  await expect(runShown(second.commands, [second.token])).rejects.toThrow('401');
});

test('the longest lifetime is a year, and a later day is refused', async ({ page, service }) => {
  await page.goto(`${service.url}/ui/tokens`);
  await page.getByText('A token lets a lab machine or a script fetch measurements as you.').waitFor();
  await page.keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'Create a token' });
  await form.getByLabel('Name').fill('year');
  await form.getByLabel('Expires').selectOption('365');
  await form.getByRole('button', { name: 'Create token' }).click();
  await readSecret(page);
  await page.getByRole('button', { name: 'Create token' }).click();
  await form.getByLabel('Name').fill('longer');
  await form.getByLabel('Expires').selectOption('day');
  await form.getByLabel('Day').fill('2099-01-01');
  await form.getByRole('button', { name: 'Create token' }).click();
  expect(await form.getByLabel('Day').evaluate((input: HTMLInputElement) => input.validity.rangeOverflow)).toBe(true);
  await expect(form).toBeVisible();
});

test('S100 creating and rotating ask for the password when the sign-in was long ago', async ({ page, service }) => {
  await page.goto(`${service.url}/ui/tokens?name=bench%203&scopes=read_measurement`);
  await page.getByRole('dialog', { name: 'Create a token' }).waitFor();
  forgetConfirmations(service);
  await page.getByRole('button', { name: 'Create token' }).last().click();
  await page.getByLabel('Password of alice').fill(password);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await readSecret(page);
  forgetConfirmations(service);
  await page.getByRole('button', { name: 'Rotate bench 3' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
  await page.getByLabel('Password of alice').fill(password);
  await page.keyboard.press('Enter');
  await readSecret(page);
});

test('a token is created, rotated and revoked by keyboard', async ({ page, service }) => {
  await page.goto(`${service.url}/ui/tokens`);
  await page.getByRole('heading', { name: 'Tokens' }).waitFor();
  await page.keyboard.press('n');
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('bench 3');
  await page.keyboard.press('Enter');
  // The secret has the focus: Enter copies it.
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true })).toBeFocused();
  await tabTo(page, 'I have saved it');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await tabTo(page, /bench 3/, 'row');
  await page.keyboard.press('r');
  await page.getByRole('dialog', { name: 'Rotate token bench 3?' }).waitFor();
  await tabTo(page, 'Rotate');
  await page.keyboard.press('Enter');
  await page.getByTestId('secret').waitFor();
  await tabTo(page, 'I have saved it');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await tabTo(page, /bench 3/, 'row');
  await page.keyboard.press('Delete');
  const ask = page.getByRole('alertdialog', { name: 'Revoke token bench 3?' });
  await expect(ask.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('A token lets a lab machine or a script fetch measurements as you.')).toBeVisible();
});
