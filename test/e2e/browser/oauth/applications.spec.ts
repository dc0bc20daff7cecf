import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { registerApplication } from '../../../../src-main/service/oauth/applications/register-application.ts';
import { expect, runShown, test } from '../signed-in.ts';
import { readSecret, register } from './registering-page.ts';

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
