import { expect, test } from '@playwright/test';
import { authorizePath } from '../../../service/oauth/authorize-fixture.ts';
import { axeFindings } from '../axe.ts';
import { pkce, useClients, watch } from './consent-clients.ts';

const scene = useClients();
const { openSignedIn } = scene;

// The https client uses a self-signed certificate.
test.use({ ignoreHTTPSErrors: true });

test('S34 a script in the name is shown, not run', async ({ page }) => {
  const complaints = watch(page);
  const { application } = await scene.provider.register({
    name: '<img src=x onerror="document.title=1"><script>document.title=2</script>',
  });
  await openSignedIn(page, authorizePath({ client_id: application.clientId }));
  await expect(page.getByText('<script>document.title=2</script>')).toBeVisible();
  await expect(page).toHaveTitle('Give access - Benchport');
  expect(complaints).toEqual([]);
});

test('S37 the second click of a double click approves nothing, and a deliberate click does', async ({ page }) => {
  const { application } = await scene.provider.register({ redirectUris: [`${scene.clientUrl}/cb`] });
  await openSignedIn(page, authorizePath({ client_id: application.clientId, redirect_uri: `${scene.clientUrl}/cb` }));
  const box = await page.getByRole('button', { name: 'Allow' }).boundingBox();
  const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 10];
  await page.mouse.move(1, 1);
  await page.mouse.click(x, y);
  await page.waitForTimeout(1000);
  expect(new URL(page.url()).origin).toBe(scene.provider.url);
  await page.mouse.click(x, y);
  await page.waitForURL(`${scene.clientUrl}/cb?code=**`);
});

test('the keyboard reaches deny first, then allow', async ({ page }) => {
  const { application } = await scene.provider.register({ redirectUris: [`${scene.clientUrl}/cb`] });
  await openSignedIn(page, authorizePath({ client_id: application.clientId, redirect_uri: `${scene.clientUrl}/cb` }));
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Deny' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Allow' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${scene.clientUrl}/cb?code=**`);
});

test('another user can sign in for the same request', async ({ page }) => {
  const { application } = await scene.provider.register();
  await openSignedIn(page, authorizePath({ client_id: application.clientId }));
  await page.getByRole('link', { name: 'Use another account' }).click();
  await page.getByLabel('User name').fill('alice');
  await page.getByLabel('Password').fill('a rather long word');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('the account of alice')).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [360, 1000]) {
    test(`is readable and fits, ${colorScheme}, ${width} px`, async ({ browser }) => {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 760 } });
      const page = await context.newPage();
      const { application } = await scene.provider.register({
        name: 'a-name-of-an-application-without-any-break-'.repeat(4),
        confidential: false,
        scopes: ['api', 'read_measurement', 'openid', 'profile', 'email'],
        redirectUris: ['https://a-very-long-host-name.of-a-department.of-some-university.example:8443/callback'],
      });
      const redirectUri = application.redirectUris[0] ?? '';
      await openSignedIn(
        page,
        authorizePath({
          client_id: application.clientId,
          redirect_uri: redirectUri,
          scope: application.scopes.join(' '),
          ...pkce,
        }),
      );
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await context.close();
    });
  }
}
