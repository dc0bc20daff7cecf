import { freePort } from '../../../free-port.ts';
import { startTestService } from '../../../service/start.ts';
import { lookAt } from '../look.ts';
import { expect, password, test } from '../signed-in.ts';

// Axe examines every element, in two themes.
test.setTimeout(120_000);

const dialog = '[role="dialog"], [role="alertdialog"]';

test('security keys say why they cannot be used at an IP address', async ({ page, service }) => {
  await page.goto(`${service.url}/ui/account`);
  const keys = page.getByRole('region', { name: 'Security keys' });
  await expect(keys).toContainText('Security keys work only if this server has a host name');
  await expect(keys.getByRole('button', { name: 'Add a security key' })).toBeDisabled();
});

test('at a host name a security key is added by the browser, signs in, is refused twice, and is removed', async ({
  page,
  browserName,
}) => {
  expect(browserName).toBe('chromium');
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const service = await startTestService({ port, baseUrl: url });
  try {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'usb',
        hasResidentKey: false,
        hasUserVerification: false,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto(`${url}/ui/setup?code=${service.setupCode ?? ''}`);
    await page.getByLabel('User name').fill('alice');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Measurements' }).waitFor();
    await page.goto(`${url}/ui/account`);
    const keys = page.getByRole('region', { name: 'Security keys' });
    await keys.getByRole('button', { name: 'Add a security key' }).click();
    const form = page.getByRole('dialog', { name: 'Add a security key' });
    await form.getByLabel('Name').fill('blue key');
    await lookAt(page, dialog);
    await page.keyboard.press('Enter');
    await expect(keys.getByText('blue key')).toBeVisible();
    await expect(keys).toContainText('never used');
    await expect(page.getByRole('region', { name: 'Recovery codes' })).toContainText('none');
    await lookAt(page);

    await keys.getByRole('button', { name: 'Add a security key' }).click();
    await form.getByLabel('Name').fill('blue key');
    await expect(form.getByText('One of your keys already has this name.')).toBeVisible();
    await form.getByLabel('Name').fill('same key');
    await page.keyboard.press('Enter');
    await expect(form.getByRole('alert')).toContainText('already added this key');
    await form.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'Signed in as alice' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('User name').fill('alice');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: /key/i }).click();
    await page.getByRole('heading', { name: 'Measurements' }).waitFor();
    await page.goto(`${url}/ui/account`);
    await expect(keys).toContainText('last used just now');
    await keys.getByRole('button', { name: 'Remove blue key' }).click();
    await expect(page.getByRole('alertdialog')).toContainText('It is your last second factor');
    await lookAt(page, dialog);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect(keys.getByText('blue key')).toHaveCount(0);
  } finally {
    await service.end();
  }
});
