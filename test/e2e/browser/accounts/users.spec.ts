import { lookAt } from '../look.ts';
import { codeOf, expectRefused, signInElsewhere } from '../sign-in-elsewhere.ts';
import { expect, forgetConfirmations, password, test } from '../signed-in.ts';
import { actFor, answer, bobs, createBob, dialog } from './users-page.ts';

// Axe examines every element, in two themes.
test.setTimeout(120_000);

test('a user is created, found, edited and given a new password, which signs them out', async ({
  page,
  service,
  browser,
}) => {
  await createBob(page, service);
  const row = page.getByRole('row', { name: /^bob/ });
  await expect(row).toContainText('active');
  await expect(row).toContainText('password only');
  await expect(row).toContainText('never');
  await expect(page.getByRole('row', { name: /^alice, you/ })).toContainText('administrator, owner');
  await lookAt(page);

  const other = await signInElsewhere(browser, service.url, 'bob', bobs);
  await other.getByRole('heading', { name: 'Account' }).waitFor();
  await expect(other.getByText('An administrator can change the name and the e-mail address.')).toBeVisible();

  await page.getByRole('button', { name: 'Create user' }).click();
  const create = page.getByRole('dialog', { name: 'Create a user' });
  await create.getByLabel('User name').fill('not a name');
  await expect(
    create.getByText('Only a to z, digits, dots, hyphens and underscores; no spaces, no umlauts.'),
  ).toBeVisible();
  await expect(create.getByRole('button', { name: 'Create user' })).toBeDisabled();
  await create.getByLabel('User name').fill('bob');
  await create.getByRole('button', { name: 'Create user' }).click();
  await expect(create.getByRole('alert')).toContainText('bob');
  await lookAt(page, dialog);
  await page.keyboard.press('Escape');

  await actFor(page, 'bob', 'Edit…');
  const edit = page.getByRole('dialog', { name: 'Edit bob' });
  await edit.getByLabel('Full name').fill('Bob of the spectrometer');
  await edit.getByLabel('New password').fill(`${bobs} per millimetre`);
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('Bob of the spectrometer');
  await expect(other).toHaveURL(/sign_in/);
  await other.context().close();
  await expectRefused(browser, service.url, 'bob', bobs);

  const search = page.getByRole('searchbox', { name: 'Search users' });
  await search.fill('spectro');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(/search=spectro/);
  await search.fill('nobody at all');
  await expect(page.getByText('No user matches “nobody at all”.')).toBeVisible();
  await lookAt(page);
  await page.getByRole('button', { name: 'Clear the search' }).last().click();
  await expect(page.getByRole('row')).toHaveCount(3);
});

test('a taken name and a weak password are named before the own password is asked for', async ({ page, service }) => {
  await service.user('bob');
  await page.goto(`${service.url}/ui/users`);
  forgetConfirmations(service);
  await page.getByRole('button', { name: 'Create user' }).click();
  const form = page.getByRole('dialog', { name: 'Create a user' });
  const submit = form.getByRole('button', { name: 'Create user' });
  await form.getByLabel('Administrator').check();
  await form.getByLabel('User name').fill('bob');
  await submit.click();
  await expect(form.getByRole('alert')).toContainText('already taken');
  await form.getByLabel('User name').fill('carol');
  await form.getByLabel('Password').fill('football99');
  await submit.click();
  await expect(form.getByRole('alert')).toContainText(
    'This password is too easy to guess: it is close to one that many people use.',
  );
  await form.getByLabel('Password').fill(bobs);
  await submit.click();
  await page.getByLabel('Password of alice').fill(password);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('row', { name: /^carol/ })).toContainText('administrator');
});

test('a user is blocked, which ends all their access, and unblocked', async ({ page, service, browser }) => {
  await createBob(page, service);
  const bob = await service.services.users.byUsername('bob');
  const token = await service.token(bob?.id ?? 0, ['read_api']);
  const statusOf = async (): Promise<number> =>
    (await fetch(`${service.url}/api/v4/user`, { headers: { authorization: `Bearer ${token}` } })).status;
  const other = await signInElsewhere(browser, service.url, 'bob', bobs);
  await other.getByRole('heading', { name: 'Account' }).waitFor();
  expect(await statusOf()).toBe(200);

  await actFor(page, 'bob', 'Block…');
  await expect(page.getByRole('alertdialog', { name: 'Block bob?' })).toContainText(
    'All their tokens and the access they gave to applications are revoked for good',
  );
  // The question's default button is Cancel.
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await lookAt(page, dialog);
  await answer(page, 'Block');
  await expect(page.getByRole('row', { name: /^bob/ })).toContainText('blocked');
  expect(await statusOf()).not.toBe(200);
  await expect(other).toHaveURL(/sign_in/);
  await other.context().close();

  const which = page.getByRole('group', { name: 'Which users' });
  await which.getByRole('button', { name: 'Blocked' }).click();
  await expect(page.getByRole('row')).toHaveCount(2);
  await lookAt(page);
  await actFor(page, 'bob', 'Unblock');
  await expect(page.getByText('bob is unblocked')).toBeVisible();
  await expect(page.getByText('Nobody is blocked.')).toBeVisible();
  // The user was blocked.
  expect(await statusOf()).toBe(401);
  await which.getByRole('button', { name: 'All' }).click();
  await expect(page.getByRole('row', { name: /^bob/ })).toContainText('active');
});

test('a user locked out by wrong passwords is unlocked, and one without their authenticator signs in after its removal', async ({
  page,
  service,
  browser,
}) => {
  await createBob(page, service);
  const other = await signInElsewhere(browser, service.url, 'bob', bobs);
  await other.getByRole('button', { name: 'Set up authenticator' }).click();
  const secret = await other.getByTestId('totp-secret').innerText();
  await other.getByLabel('Code shown now').fill(await codeOf(secret));
  await other.keyboard.press('Enter');
  await other.getByRole('button', { name: 'I have saved them' }).click();
  await other.context().close();

  // The list updates itself.
  const row = page.getByRole('row', { name: /^bob/ });
  await page.reload();
  await expect(row).toContainText('two factors');
  await actFor(page, 'bob', 'Turn two-factor sign-in off…');
  await expect(page.getByRole('alertdialog')).toContainText('recovery codes and security keys are removed');
  await lookAt(page, dialog);
  await answer(page, 'Turn off');
  await expect(row).toContainText('password only');

  const bob = await service.services.users.byUsername('bob');
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const body = new URLSearchParams({ grant_type: 'password', username: 'bob', password: `wrong ${attempt}` });
    await fetch(`${service.url}/oauth/token`, { method: 'POST', body });
  }
  expect(bob).not.toBeNull();
  await page.reload();
  await expect(row).toContainText('locked in one place, unlocked in 10 min');
  await lookAt(page);
  await actFor(page, 'bob', 'Unlock');
  await expect(page.getByText('bob is unlocked')).toBeVisible();
  await expect(row).toContainText('active');
});
