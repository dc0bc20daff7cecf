import { expectAccessible } from '../screens-fixture.ts';
import { expect, forgetConfirmations, password, tabTo, test } from '../signed-in.ts';
import { readSecret, register } from './registering-page.ts';

// Each test hashes several passwords.
test.setTimeout(90_000);

test('S100 registering asks for the password when the sign-in was long ago, and continues; Esc keeps the input', async ({
  page,
  service,
}) => {
  await page.goto(`${service.url}/ui/applications`);
  await page.getByText('Register software that signs people in through Benchport.').waitFor();
  forgetConfirmations(service);
  await register(page, 'Lab notebook', 'https://notebook.example/callback');
  const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const input = confirm.getByLabel('Password of alice');
  await expect(input).toBeFocused();

  // Esc closes only the question: the form keeps its input.
  await page.keyboard.press('Escape');
  await expect(confirm).toHaveCount(0);
  const form = page.getByRole('dialog', { name: 'Register an application' });
  await expect(form.getByLabel('Name')).toHaveValue('Lab notebook');
  await expect(form.getByRole('alert')).toHaveCount(0);
  await form.getByRole('button', { name: 'Register' }).click();
  await input.fill('not it at all');
  await page.keyboard.press('Enter');
  await expect(confirm.getByText('This password is wrong.')).toBeVisible();
  await expectAccessible(page, { within: '[role="dialog"]' });
  await input.fill(password);
  await page.keyboard.press('Enter');
  const { clientId } = await readSecret(page);

  // Registered only once.
  await expect(page.getByRole('rowheader', { name: 'Lab notebook' })).toHaveCount(1);
  await page.getByRole('rowheader', { name: 'Lab notebook' }).click();
  await expect(page.getByRole('complementary')).toContainText(clientId);
});

test('an invalid redirect URI is reported while typing, or by the service if only it can know', async ({
  page,
  service,
}) => {
  await page.goto(`${service.url}/ui/applications`);
  await page.getByText('Register software that signs people in through Benchport.').waitFor();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'Register an application' });
  await dialog.getByLabel('Name').fill('Lab notebook');
  const uris = dialog.getByLabel('Redirect URIs');
  const submit = dialog.getByRole('button', { name: 'Register' });
  await uris.fill(
    'https://app.example/callback#top\nmyapp:/callback\nhttps://app.example/callback\nhttps://app.example/callback',
  );
  await expect(
    dialog.getByText('Line 1: The redirect URI https://app.example/callback#top has a fragment.'),
  ).toBeVisible();
  await expect(dialog.getByText('Line 2: The scheme of myapp:/callback cannot be used.')).toBeVisible();
  await expect(dialog.getByText('Line 4 is the same as line 3.')).toBeVisible();
  await expect(uris).toHaveAttribute('aria-invalid', 'true');
  await expect(submit).toBeDisabled();
  // This one depends on the settings of the installation.
  await uris.fill('http://app.example/callback');
  await expect(dialog.getByText('It is refused unless an administrator has allowed it for development.')).toBeVisible();
  await submit.click();
  await expect(dialog.getByRole('alert')).toContainText('must use https');
  // The device grant alone needs no redirect URI.
  await uris.fill('');
  await expect(submit).toBeDisabled();
  await dialog.getByLabel('Also with a code that is typed into another browser').check();
  await expect(submit).toBeEnabled();
});

test('a public application is registered, opened and deleted by keyboard', async ({ page, service }) => {
  await page.goto(`${service.url}/ui/measurements`);
  await page.getByRole('heading', { name: 'Measurements' }).waitFor();
  await page.keyboard.press('Control+7');
  await page.getByRole('heading', { name: 'Applications' }).waitFor();
  await page.keyboard.press('n');
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Spectrometer panel');
  await page.keyboard.press('Tab');
  await page.keyboard.type('http://127.0.0.1/callback');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByLabel('No, it runs on its users’ machines')).toBeChecked();
  await tabTo(page, /^Register$/);
  await page.keyboard.press('Enter');
  const done = page.getByRole('dialog', { name: 'Spectrometer panel is registered' });
  await expect(done).toContainText('It is a public application and has no secret');
  await expect(done.getByTestId('secret')).toHaveCount(0);
  await expect(done.locator('pre').nth(1)).not.toContainText('client_secret');
  await tabTo(page, 'Done');
  await page.keyboard.press('Enter');
  await expect(done).toHaveCount(0);

  await tabTo(page, /Spectrometer panel/, 'row');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/ui\/applications\/\d+$/);
  await expect(page.getByRole('complementary')).toContainText('public');
  await page.keyboard.press('e');
  await expect(page.getByRole('dialog', { name: 'Edit Spectrometer panel' }).getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // The focus returns to the opened row, and shortcuts apply to it.
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/ui\/applications$/);
  await expect(page.getByRole('row', { name: /Spectrometer panel/ })).toBeFocused();
  await page.keyboard.press('Delete');
  const ask = page.getByRole('alertdialog', { name: 'Delete application Spectrometer panel?' });
  await expect(ask.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Register software that signs people in through Benchport.')).toBeVisible();
});
