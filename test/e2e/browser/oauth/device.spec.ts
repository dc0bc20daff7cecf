import { expect, test, type Page } from '@playwright/test';
import { startProvider, type Provider } from '../../../service/oauth/authorize-fixture.ts';
import { axeFindings } from '../axe.ts';

let provider: Provider;
let clientId: string;

test.beforeAll(async () => {
  provider = await startProvider();
  const { application } = await provider.register({
    name: 'Bench <b>sensor</b>',
    confidential: false,
    redirectUris: [],
    deviceGrant: true,
  });
  ({ clientId } = application);
});
test.afterAll(() => provider.end());

interface Pair {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
}

async function askedByDevice(): Promise<Pair> {
  const answer = await fetch(`${provider.url}/oauth/authorize_device`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: clientId, scope: 'read_user' }),
  });
  return (await answer.json()) as Pair;
}

async function poll(pair: Pair): Promise<Record<string, unknown>> {
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: pair.device_code,
    client_id: clientId,
  };
  const answer = await fetch(`${provider.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  return (await answer.json()) as Record<string, unknown>;
}

/** Opens an address as bob by keyboard. */
async function signIn(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByLabel('User name')).toBeFocused();
  await page.keyboard.type('bob');
  await page.keyboard.press('Tab');
  await page.keyboard.type('a rather long word');
  await page.keyboard.press('Enter');
}

async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1000, 360]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await axeFindings(page)).toEqual([]);
    }
  }
}

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('S105 a device is authorized by its code, by keyboard', async ({ page }) => {
    const pair = await askedByDevice();
    await signIn(page, pair.verification_uri);
    await expect(page.getByLabel('Code that the device shows')).toBeFocused();
    await page.keyboard.type(pair.user_code.toLowerCase());
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Give a device access to your account?' })).toBeVisible();
    await expect(page.getByText('Bench <b>sensor</b>')).toBeVisible();
    await expect(page.getByText('If somebody sent you this code, choose Deny')).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Deny' })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('status')).toBeVisible();
    expect(await poll(pair)).toMatchObject({ token_type: 'bearer', scope: 'read_user' });
  });

  test('a denied device is told so', async ({ page }) => {
    const pair = await askedByDevice();
    await signIn(page, pair.verification_uri_complete);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Deny' }).click();
    await expect(page.getByRole('status')).toBeVisible();
    expect(await poll(pair)).toMatchObject({ error: 'access_denied' });
  });
});

test('the pages of the device grant have no accessibility violations', async ({ page }) => {
  const pair = await askedByDevice();
  await signIn(page, pair.verification_uri);
  await expect(page.getByLabel('Code that the device shows')).toBeFocused();
  await expectAccessible(page);
  await page.getByLabel('Code that the device shows').fill('BBBB-BBBB');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Code that the device shows').fill(pair.user_code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Give a device access to your account?' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(page.getByRole('status')).toBeVisible();
  await expectAccessible(page);
});
