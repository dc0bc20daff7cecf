import type { ElectronApplication, Page } from '@playwright/test';
import fs from 'node:fs/promises';
import path from 'node:path';
import { browserAt } from '../../service/browser.ts';
import { mustRun } from '../../service/run-program.ts';
import { createAccount, expect, test } from './launch.ts';

// The account of this machine's owner in the real application: without a password at first, then
// with everything that a password enables.

const password = 'first light at 4 kelvin';

async function baseUrl(page: Page): Promise<string> {
  return (await page.evaluate(() => fetch('/api/v4/service').then((response) => response.json()))).base_url as string;
}

/**
 * Saves downloads in a folder instead of asking, and records for which of them it would have asked.
 */
async function answerSaveDialog(
  app: ElectronApplication,
  folder: string,
): Promise<() => Promise<{ name: string; asked: boolean; state: string }[]>> {
  await app.evaluate(({ session }, target) => {
    const saved: { name: string; asked: boolean; state: string }[] = [];
    Object.assign(globalThis, { saved });
    session.defaultSession.on('will-download', (_event, item) => {
      // Without a save path, Electron opens the system's save dialog.
      const entry = { name: item.getFilename(), asked: item.getSavePath() === '', state: 'begun' };
      saved.push(entry);
      item.setSavePath(`${target}/${entry.name}`);
      item.once('done', (_done, state) => {
        entry.state = state;
      });
    });
  }, folder);
  return () =>
    app.evaluate(() => (globalThis as unknown as { saved: { name: string; asked: boolean; state: string }[] }).saved);
}

async function codeOf(secret: string): Promise<string> {
  return (await mustRun('oathtool', ['--totp', '--base32', secret.replaceAll(' ', '')], {})).trim();
}

test('the owner has no password at first, learns the consequences, sets one, and signs in with it from a browser', async ({
  launch,
}) => {
  const { app, page } = await launch({ parts: 'real' });
  await createAccount(page);
  const url = await baseUrl(page);
  expect((await browserAt({ url }).signIn('alice', password)).status).not.toBe(303);

  await page.keyboard.press('Control+Shift+A');
  const section = page.getByRole('region', { name: 'Password' });
  await expect(section).toContainText('This account has no password. This window needs none');
  await expect(page.getByRole('button', { name: 'Set up authenticator' })).toBeDisabled();
  await expect(page.getByRole('region', { name: 'Where you are signed in' })).toContainText(
    'You are not signed in from any browser.',
  );
  await section.getByRole('button', { name: 'Set a password' }).click();
  const form = page.getByRole('dialog', { name: 'Set a password' });
  await expect(form.getByLabel('Current password')).toHaveCount(0);
  await form.getByLabel('New password').fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Password set')).toBeVisible();
  await expect(section.getByRole('button', { name: 'Change password' })).toBeVisible();

  expect((await browserAt({ url }).signIn('alice', password)).status).toBe(303);
  await expect(page.getByRole('list', { name: 'Sign-ins' }).getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByText('You are not signed in from any browser.')).toBeVisible();

  // Security keys are bound to an address, so the window leads to the browser.
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (target) => {
      opened.push(target);
    };
  });
  await page.getByRole('button', { name: 'Open this page in the browser' }).click();
  await expect
    .poll(() => app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened))
    .toEqual([`${url}/ui/account`]);
});

test("recovery codes and the audit trail are saved where the system's dialog says", async ({ launch }) => {
  const { app, page, folder } = await launch({ parts: 'real' });
  await createAccount(page);
  const saved = await answerSaveDialog(app, folder);
  await page.keyboard.press('Control+Shift+A');
  await page.getByRole('button', { name: 'Set a password' }).click();
  await page.getByLabel('New password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Set up authenticator' }).click();
  await page.getByLabel('Code shown now').fill(await codeOf(await page.getByTestId('totp-secret').innerText()));
  await page.keyboard.press('Enter');
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  const first = await codes.getByRole('listitem').first().innerText();
  await codes.getByRole('button', { name: 'Download' }).click();
  await expect.poll(saved).toEqual([{ name: 'benchport-recovery-codes-alice.txt', asked: true, state: 'completed' }]);
  expect(await fs.readFile(path.join(folder, 'benchport-recovery-codes-alice.txt'), 'utf8')).toContain(first);
  await codes.getByRole('button', { name: 'I have saved them' }).click();
  await expect(codes).toHaveCount(0);

  await page.keyboard.press('Control+Shift+L');
  await expect(page.getByRole('region', { name: 'Events' })).toContainText('Turned an authenticator on');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  await expect
    .poll(saved)
    .toEqual([expect.anything(), { name: expect.stringMatching(/\.csv$/), asked: true, state: 'completed' }]);
  const [, { name }] = (await saved()) as [unknown, { name: string }];
  expect(await fs.readFile(path.join(folder, name), 'utf8')).toContain('user.totp-on');
  expect(page.url()).toBe('app://local/ui/audit');
});

test('S108 a secret is sent to the page once, and never again on any screen', async ({ launch }) => {
  const { page } = await launch({ parts: 'real' });
  await createAccount(page);
  const secrets: string[] = [];
  await page.keyboard.press('Control+Shift+A');
  await page.getByRole('button', { name: 'Set a password' }).click();
  await page.getByLabel('New password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Set up authenticator' }).click();
  const key = (await page.getByTestId('totp-secret').innerText()).replaceAll(' ', '');
  await page.getByLabel('Code shown now').fill(await codeOf(key));
  await page.keyboard.press('Enter');
  const codes = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  secrets.push(password, key, ...(await codes.getByRole('listitem').allInnerTexts()));
  await codes.getByRole('button', { name: 'I have saved them' }).click();
  // Sent as its form does; these responses reveal the secret this once.
  const made = await page.evaluate(async () => {
    const post = async (target: string, body: unknown): Promise<Record<string, string>> => {
      const response = await fetch(target, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return (await response.json()) as Record<string, string>;
    };
    const redirect = { redirect_uris: ['http://127.0.0.1/callback'], confidential: true, device_grant: false };
    return {
      token: await post('/api/v4/user/personal_access_tokens', { name: 'bench 3', scopes: ['read_api'] }),
      application: await post('/api/v4/user/applications', {
        name: 'Lab notebook',
        scopes: ['read_user'],
        ...redirect,
      }),
    };
  });
  secrets.push(made.token['token'] ?? '', made.application['client_secret'] ?? '');
  expect(secrets).toHaveLength(14);
  expect(secrets.slice(-2)).toEqual([expect.stringMatching(/^bppat-/), expect.stringMatching(/^bpas-/)]);

  await page.addInitScript(() => {
    const heard: string[] = [];
    Object.assign(window, { heard });
    const real = window.fetch.bind(window);
    window.fetch = async (...values: Parameters<typeof fetch>) => {
      const response = await real(...values);
      heard.push([...response.headers].flat().join(' '));
      void response
        .clone()
        .text()
        .then((text) => heard.push(text));
      return response;
    };
  });
  const screens = [
    'measurements',
    'tokens',
    'applications',
    'applications?tab=authorized',
    'account',
    'users',
    'audit',
    'settings',
  ];
  for (const screen of screens) {
    await page.evaluate((target) => window.location.assign(target), `/ui/${screen}`);
    await page.waitForURL(`app://local/ui/${screen}`);
    await page.getByText('service running').waitFor();
    await page.waitForLoadState('networkidle');
    const { heard, shown, kept } = await page.evaluate(() => ({
      heard: (window as unknown as { heard: string[] }).heard,
      shown: document.documentElement.outerHTML,
      kept: JSON.stringify([
        Object.entries(window.localStorage),
        Object.entries(window.sessionStorage),
        document.cookie,
      ]),
    }));
    expect(heard.length, screen).toBeGreaterThan(4);
    for (const secret of secrets) expect(`${heard.join('\n')}${shown}${kept}`, screen).not.toContain(secret);
    expect(heard.join('\n'), screen).not.toMatch(
      /"(refresh_token|access_token|client_secret|token_hash|password_hash)"/,
    );
  }
});
