import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { registerApplication } from '../../../../src-main/service/oauth/applications/register-application.ts';
import { expectAccessible } from '../screens-fixture.ts';
import { expect, forgetConfirmations, password, runShown, tabTo, test } from '../signed-in.ts';

// Each test hashes several passwords.
test.setTimeout(90_000);

/** Receives the redirect of a browser after the approval. */
async function callback(): Promise<{
  readonly uri: string;
  readonly arrived: Promise<URL>;
  readonly close: () => void;
}> {
  let tell: (url: URL) => void = () => undefined;
  const arrived = new Promise<URL>((resolve) => {
    tell = resolve;
  });
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (url.pathname === '/callback') tell(url);
    response.end('You can close this page.');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { uri: `http://127.0.0.1:${port}/callback`, arrived, close: () => server.close() };
}

interface Registered {
  readonly clientId: string;
  readonly secret: string;
  readonly pkce: string;
  readonly curl: string;
}

/** The dialog after a registration or a renewal, which is shown once and then closed. */
async function readSecret(page: Page): Promise<Registered> {
  const dialog = page.getByRole('dialog');
  const secret = await dialog.getByTestId('secret').innerText();
  const clientId = await dialog.getByTestId('client-id').innerText();
  const [pkce = '', curl = ''] = await dialog.locator('pre').allInnerTexts();
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  await expect(dialog).toHaveCount(0);
  return { clientId, secret, pkce, curl };
}

async function register(page: Page, name: string, redirectUri: string): Promise<void> {
  await page.getByRole('button', { name: 'Register' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Register an application' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Redirect URIs').fill(redirectUri);
  await dialog.getByLabel('read_user').check();
  await dialog.getByRole('button', { name: 'Register' }).click();
}

const api = (base: string, token: string): Promise<Response> =>
  fetch(`${base}/api/v4/user`, { headers: { authorization: `Bearer ${token}` } });

test('an application is registered, signs in by the shown samples, is listed under Authorized, and revoked', async ({
  page,
  service,
}) => {
  const heard = await callback();
  await page.getByRole('link', { name: 'Applications' }).click();
  await expect(page.getByText('Register software that signs people in through Benchport.')).toBeVisible();
  await register(page, 'Lab notebook', heard.uri);
  const shown = await readSecret(page);
  expect(shown.secret).toMatch(/^bpas-[0-9a-f]{64}$/);
  expect(shown.clientId).toMatch(/^[0-9a-f]{64}$/);
  expect(shown.pkce + shown.curl).not.toContain(shown.secret);
  await expect(page.getByText(shown.secret)).toHaveCount(0);

  // Both samples in one shell, as a user would paste them.
  const verifierKept = `${shown.pkce}\necho "$VERIFIER"`;
  const [address = '', verifier = ''] = (await runShown(verifierKept)).trim().split('\n');
  await page.goto(address);
  await expect(page.getByText('Lab notebook').first()).toBeVisible();
  await page.getByRole('button', { name: 'Allow' }).click();
  const arrived = await heard.arrived;
  expect(arrived.searchParams.get('state')).toBe(new URL(address).searchParams.get('state'));
  const code = arrived.searchParams.get('code') ?? '';
  const answer = JSON.parse(await runShown(`VERIFIER=${verifier}\n${shown.curl}`, [code, shown.secret])) as {
    access_token: string;
    refresh_token: string;
  };
  expect((await api(service.url, answer.access_token)).status).toBe(200);

  await page.goto(`${service.url}/ui/applications?tab=authorized`);
  const row = page.getByRole('row', { name: /Lab notebook/ });
  await expect(row).toContainText('read_user');
  await expect(row.getByText('just now')).toHaveCount(2);
  await row.getByRole('button', { name: 'Revoke Lab notebook' }).click();
  await page.getByRole('alertdialog', { name: 'Revoke Lab notebook?' }).getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('No application may act for you.')).toBeVisible();
  expect((await api(service.url, answer.access_token)).status).toBe(401);
  heard.close();
});

test('an application is edited, gets a new secret that replaces the old one, and is deleted', async ({
  page,
  service,
}) => {
  await page.goto(`${service.url}/ui/applications`);
  await register(page, 'Beamline viewer', 'https://viewer.example/callback');
  const first = await readSecret(page);
  const clientKnown = async (secret: string): Promise<boolean> => {
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: first.clientId,
      client_secret: secret,
      code: 'no such code',
      redirect_uri: 'https://viewer.example/callback',
    });
    const answer = (await (await fetch(`${service.url}/oauth/token`, { method: 'POST', body })).json()) as {
      error: string;
    };
    return answer.error === 'invalid_grant';
  };
  expect(await clientKnown(first.secret)).toBe(true);

  await page.getByRole('rowheader', { name: 'Beamline viewer' }).click();
  const detail = page.getByRole('complementary', { name: 'Application Beamline viewer' });
  await expect(detail).toContainText(first.clientId);
  await detail.getByRole('button', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Beamline viewer' });
  await expect(edit.getByLabel('Yes, it runs on a server')).toHaveCount(0);
  await edit.getByLabel('Name').fill('Beamline viewer 2');
  await edit.getByLabel('Redirect URIs').fill('https://viewer.example/callback\nhttp://127.0.0.1/callback');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('complementary', { name: 'Application Beamline viewer 2' })).toContainText(
    'http://127.0.0.1/callback',
  );

  await page.getByRole('button', { name: 'Renew secret' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Renew' }).click();
  const second = await readSecret(page);
  expect(second.clientId).toBe(first.clientId);
  expect(await clientKnown(first.secret)).toBe(false);
  expect(await clientKnown(second.secret)).toBe(true);

  await page.getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('alertdialog', { name: 'Delete application Beamline viewer 2?' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await expect(page.getByText('Register software that signs people in through Benchport.')).toBeVisible();
  expect(await clientKnown(second.secret)).toBe(false);
});

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

test('an administrator finds applications of others and trusts one; a public one cannot be trusted', async ({
  page,
  service,
}) => {
  const bob = await service.user('bob');
  const wish = {
    ownerId: bob,
    redirectUris: ['https://samples.example/callback'],
    scopes: ['read_user'],
    deviceGrant: false,
    trusted: false,
    legacyImplicit: false,
  };
  const by = { userId: bob, address: null };
  await registerApplication(service.services, { ...wish, name: 'Sample database', confidential: true }, by);
  await registerApplication(service.services, { ...wish, name: 'Viewer', confidential: false }, by);
  await page.goto(`${service.url}/ui/applications`);
  await expect(page.getByText('Register software that signs people in through Benchport.')).toBeVisible();
  await page.getByRole('tab', { name: 'Everybody’s 2' }).click();
  await expect(page.getByRole('row', { name: /Sample database/ })).toContainText('registered by bob');
  await page.getByRole('rowheader', { name: 'Sample database' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Trusted: approved without asking its users').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('complementary')).toContainText('Trusted: its users are not asked to approve.');
  await page.getByRole('rowheader', { name: 'Viewer' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByLabel('Trusted: approved without asking its users')).toHaveCount(0);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Close the inspector' }).click();
  await expect(page).toHaveURL(/\/ui\/applications\?tab=all$/);
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
