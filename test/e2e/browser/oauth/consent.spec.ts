import { expect, test, type Page } from '@playwright/test';
import { authorizePath } from '../../../service/oauth/authorize-fixture.ts';
import { pkce, useClients, watch } from './consent-clients.ts';

const scene = useClients();
const { openSignedIn, signIn } = scene;

// The https client uses a self-signed certificate.
test.use({ ignoreHTTPSErrors: true });

async function shown(page: Page): Promise<{
  path: string;
  method: string;
  query: Record<string, string>;
  body: Record<string, string>;
  referer: string | null;
}> {
  return JSON.parse(await page.locator('body').innerText()) as Awaited<ReturnType<typeof shown>>;
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('S28 from sign-in to a client on the loopback, and to another host of the client', async ({ page }) => {
      const complaints = watch(page);
      const { application } = await scene.provider.register({
        confidential: false,
        redirectUris: ['http://127.0.0.1/cb', 'http://127.0.0.1/onwards'],
      });
      await openSignedIn(
        page,
        authorizePath({
          client_id: application.clientId,
          redirect_uri: `${scene.clientUrl}/cb`,
          ...pkce,
          state: 'a b',
        }),
      );
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.waitForURL(`${scene.clientUrl}/cb?**`);
      const answer = await shown(page);
      expect(answer.query).toEqual({
        code: expect.stringMatching(/^[0-9a-f]{64}$/),
        state: 'a b',
        iss: scene.provider.url,
      });
      expect(answer.referer).toBeNull();

      await page.goto(
        scene.provider.url +
          authorizePath({ client_id: application.clientId, redirect_uri: `${scene.clientUrl}/onwards`, ...pkce }),
      );
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.waitForURL('http://localhost:*/done?**').catch(() => undefined);
      expect(new URL(page.url()).hostname + new URL(page.url()).pathname).toBe('localhost/done');
      expect(complaints).toEqual([]);
    });

    test('S36 denying reaches the client too', async ({ page }) => {
      const complaints = watch(page);
      const { application } = await scene.provider.register({ redirectUris: [`${scene.clientUrl}/cb`] });
      await openSignedIn(
        page,
        authorizePath({ client_id: application.clientId, redirect_uri: `${scene.clientUrl}/cb` }),
      );
      await page.getByRole('button', { name: 'Deny' }).click();
      await page.waitForURL(`${scene.clientUrl}/cb?**`);
      expect((await shown(page)).query).toMatchObject({ error: 'access_denied', state: 'xyz' });
      expect(complaints).toEqual([]);
    });

    test('form_post posts to the client', async ({ page }) => {
      const complaints = watch(page);
      const { application } = await scene.provider.register({ redirectUris: [`${scene.clientUrl}/cb`] });
      await openSignedIn(
        page,
        authorizePath({
          client_id: application.clientId,
          redirect_uri: `${scene.clientUrl}/cb`,
          response_mode: 'form_post',
        }),
      );
      await page.getByRole('button', { name: 'Allow' }).click();
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Continue' }).click();
      await page.waitForURL(`${scene.clientUrl}/cb`);
      expect(await shown(page)).toMatchObject({
        method: 'POST',
        query: {},
        body: { state: 'xyz', iss: scene.provider.url },
      });
      expect(complaints).toEqual([]);
    });
  });
}

test('S28 from sign-in directly to a client that the user approved before', async ({ page }) => {
  const complaints = watch(page);
  const { application } = await scene.provider.register({ trusted: true, redirectUris: [`${scene.secureUrl}/cb`] });
  await signIn(
    page,
    authorizePath({ client_id: application.clientId, redirect_uri: `${scene.secureUrl}/cb`, state: 'a b"\'&' }),
  );
  await page.waitForURL(`${scene.secureUrl}/cb?**`);
  const { query, referer } = await shown(page);
  expect(query).toEqual({ code: expect.stringMatching(/^[0-9a-f]{64}$/), state: 'a b"\'&', iss: scene.provider.url });
  expect(referer).toBeNull();
  expect(complaints).toEqual([]);
});

test('S28 a client with https', async ({ page }) => {
  const complaints = watch(page);
  const { application } = await scene.provider.register({ redirectUris: [`${scene.secureUrl}/cb`] });
  await openSignedIn(page, authorizePath({ client_id: application.clientId, redirect_uri: `${scene.secureUrl}/cb` }));
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(`${scene.secureUrl}/cb?**`);
  expect((await shown(page)).query).toMatchObject({ code: expect.stringMatching(/^[0-9a-f]{64}$/), state: 'xyz' });
  expect(complaints).toEqual([]);
});

test('S28 a client with a private-use scheme', async ({ page }) => {
  const complaints = watch(page);
  const redirectUri = 'com.example.plotter:/cb';
  const { application } = await scene.provider.register({ confidential: false, redirectUris: [redirectUri] });
  await openSignedIn(page, authorizePath({ client_id: application.clientId, redirect_uri: redirectUri, ...pkce }));
  await expect(page.getByText('com.example.plotter:, a program on this device')).toBeVisible();
  // The browser passes the address to the operating system; the test sees that the navigation was
  // not blocked.
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  await session.send('Network.enable');
  const asked = new Promise<string>((resolve) => {
    session.on('Network.requestWillBeSent', ({ request, redirectResponse }) => {
      if (redirectResponse !== undefined) resolve(request.url);
    });
    session.on('Network.responseReceivedExtraInfo', ({ headers }) => {
      const location = headers['location'] ?? headers['Location'];
      if (location !== undefined) resolve(location);
    });
  });
  await page.getByRole('button', { name: 'Allow' }).click();
  expect(await asked).toMatch(/^com\.example\.plotter:\/cb\?code=[0-9a-f]{64}&state=xyz&iss=/);
  await page.waitForTimeout(300);
  expect(complaints).toEqual([]);
});
