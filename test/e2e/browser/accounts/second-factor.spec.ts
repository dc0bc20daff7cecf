import { expect, test, type Page } from '@playwright/test';
import { recoveryCodeDigest } from '../../../../src-main/service/accounts/second-factors/recovery-codes.ts';
import { freePort } from '../../../free-port.ts';
import { addUser } from '../../../service/people.ts';
import { startTestService, type TestService } from '../../../service/start.ts';
import { axeFindings } from '../axe.ts';

const password = 'correct horse battery';
let service: TestService;
let origin: string;

test.beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  // Security keys are bound to a host name, so the base URL must have one, and with it the port.
  service = await startTestService({ port, baseUrl: origin });
});
test.afterAll(() => service.end());

async function add(username: string): Promise<number> {
  return (await addUser(service.services, username, { password })).id;
}

async function givePassword(page: Page, username: string): Promise<void> {
  await page.goto(`${origin}/users/sign_in`);
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Violations of the page's content security policy, and its uncaught errors. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (/content security policy|refused to/i.test(message.text())) complaints.push(message.text());
  });
  return complaints;
}

/** A security key in the browser (Chromium's virtual authenticator). */
async function plugIn(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'usb',
    hasResidentKey: false,
    hasUserVerification: false,
    automaticPresenceSimulation: true,
  } as const;
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options });
}

/** Registers the virtual key, as a script of our pages does. */
async function registerKey(page: Page): Promise<number> {
  await page.goto(`${origin}/api/docs`);
  return page.evaluate(async () => {
    const { csrf_token: csrf } = await (await fetch('/api/v4/session')).json();
    const post = (path: string, body: unknown) =>
      fetch(path, {
        method: 'POST',
        headers: { 'x-csrf-token': csrf, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const options = await (await post('/api/v4/user/webauthn/options', {})).json();
    const credential = await navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
    });
    if (!(credential instanceof PublicKeyCredential)) throw new Error('no credential');
    return (await post('/api/v4/user/webauthn', { name: 'Blue key', response: credential.toJSON() })).status;
  });
}

async function signedInAs(page: Page): Promise<string> {
  const answer = await page.request.get(`${origin}/api/v4/user`);
  return answer.ok() ? ((await answer.json()) as { username: string }).username : `nobody (${answer.status()})`;
}

test('S99 a security key is registered in the browser, and signs in after the password', async ({ page, context }) => {
  const complaints = complaintsOf(page);
  const userId = await add('alice');
  await plugIn(page);
  await givePassword(page, 'alice');
  await page.waitForURL('**/ui/**');
  expect(await registerKey(page)).toBe(201);
  expect(await registerKey(page).catch((error: Error) => error.message)).toContain('InvalidStateError');

  await context.clearCookies();
  await givePassword(page, 'alice');
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  expect(await signedInAs(page)).toBe('nobody (401)');
  await page.getByRole('button', { name: 'Use a security key' }).click();
  await page.waitForURL('**/ui/**');
  expect(await signedInAs(page)).toBe('alice');
  const [key] = await service.services.webauthnKeys.ofUser(userId);
  expect(key?.counter).toBeGreaterThan(0);
  expect(key?.last_used_at).not.toBeNull();
  expect(complaints).toEqual([]);
});

test('a key that does not respond is reported, and a recovery code works instead', async ({ page, context }) => {
  const userId = await add('bob');
  await plugIn(page);
  await givePassword(page, 'bob');
  await page.waitForURL('**/ui/**');
  expect(await registerKey(page)).toBe(201);
  await service.services.recoveryCodes.replace(userId, [recoveryCodeDigest('7k2mx-0ht9e-v3wqa-pd81n')]);
  await context.clearCookies();

  const other = await context.newPage();
  const devtools = await context.newCDPSession(other);
  await devtools.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'usb', automaticPresenceSimulation: true } as const;
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options });
  await givePassword(other, 'bob');
  await other.getByRole('button', { name: 'Use a security key' }).click();
  await expect(other.getByText('No security key answered')).toBeVisible();
  await other.getByLabel('Recovery code').fill('7K2MX 0HT9E V3WQA PD81N');
  await other.getByRole('button', { name: 'Continue' }).click();
  await other.waitForURL('**/ui/**');
  expect(await signedInAs(other)).toBe('bob');
});

test('without scripts codes still work', async ({ page, browser }) => {
  const userId = await add('carol');
  await plugIn(page);
  await givePassword(page, 'carol');
  await page.waitForURL('**/ui/**');
  expect(await registerKey(page)).toBe(201);
  await service.services.recoveryCodes.replace(userId, [recoveryCodeDigest('7k2mx-0ht9e-v3wqa-pd81n')]);

  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await givePassword(plain, 'carol');
  await expect(plain.getByText('A security key needs scripts')).toBeVisible();
  await expect(plain.getByRole('button', { name: 'Use a security key' })).toBeHidden();
  await plain.getByLabel('Recovery code').fill('wrong');
  await plain.getByRole('button', { name: 'Continue' }).click();
  await expect(plain.getByRole('alert')).toContainText('This code is wrong');
  await plain.getByLabel('Recovery code').fill('7k2mx-0ht9e-v3wqa-pd81n');
  await plain.getByRole('button', { name: 'Continue' }).click();
  await plain.waitForURL('**/ui/**');
  expect(await signedInAs(plain)).toBe('carol');
  await context.close();
});

test('a browser that is too old for security keys says so, on both pages', async ({ page, browser }) => {
  await add('dora');
  await plugIn(page);
  await givePassword(page, 'dora');
  await page.waitForURL('**/ui/**');
  expect(await registerKey(page)).toBe(201);
  await page.addInitScript(() => Reflect.deleteProperty(PublicKeyCredential, 'parseCreationOptionsFromJSON'));
  await page.goto(`${origin}/ui/account`);
  const keys = page.getByRole('region', { name: 'Security keys' });
  await expect(keys).toContainText('This browser is too old for security keys here.');
  await expect(keys.getByRole('button', { name: 'Add a security key' })).toBeDisabled();

  const context = await browser.newContext();
  await context.addInitScript(() => Reflect.deleteProperty(PublicKeyCredential, 'parseRequestOptionsFromJSON'));
  const old = await context.newPage();
  await givePassword(old, 'dora');
  await expect(old.getByText('This browser is too old for security keys here.')).toBeVisible();
  await expect(old.getByRole('button', { name: 'Use a security key' })).toBeHidden();
  await context.close();
});

for (const [scheme, width] of [
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const) {
  test(`the pages can be read in ${scheme} at ${width} pixels`, async ({ page }, info) => {
    test.slow();
    const username = `reader-${scheme}-${width}`;
    const userId = await add(username);
    await plugIn(page);
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 720 });
    await givePassword(page, username);
    await page.waitForURL('**/ui/**');
    expect(await registerKey(page)).toBe(201);
    await service.services.recoveryCodes.replace(userId, [recoveryCodeDigest('7k2mx-0ht9e-v3wqa-pd81n')]);
    await page.context().clearCookies();

    const look = async (name: string): Promise<void> => {
      await page.screenshot({ path: info.outputPath(`${name}.png`) });
      expect(await axeFindings(page)).toEqual([]);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBe(0);
    };
    await page.goto(`${origin}/users/sign_in`);
    await look('sign-in');
    await page.getByLabel('User name').fill(username);
    await page.getByLabel('Password').fill('wrong');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toBeVisible();
    await look('sign-in-failed');
    await givePassword(page, username);
    await expect(page.getByRole('button', { name: 'Use a security key' })).toBeVisible();
    await look('second-factor');
    await page.getByLabel('Recovery code').fill('wrong');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toBeVisible();
    await look('second-factor-failed');
  });
}
