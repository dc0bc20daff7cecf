import { expect, test, type Page } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { authorizePath, challenge, startProvider, type Provider } from '../../../service/oauth/authorize-fixture.ts';
import { axeFindings } from '../axe.ts';

let provider: Provider;
let clients: readonly Server[];
let clientUrl: string;
let secureUrl: string;
const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };

// The https client uses a self-signed certificate.
test.use({ ignoreHTTPSErrors: true });

/**
 * A client that shows its parameters; "/onwards" redirects to another of its hosts, as clients do.
 */
const showRequest: RequestListener = (request, response) => {
  const url = new URL(request.url ?? '/', 'http://client');
  if (url.pathname === '/onwards')
    return void response
      .writeHead(302, { location: `${clientUrl.replace('127.0.0.1', 'localhost')}/done${url.search}` })
      .end();
  let form = '';
  request.on('data', (piece: Buffer) => (form += piece.toString()));
  request.on('end', () => {
    const [query, body] = [url.searchParams, new URLSearchParams(form)].map((pairs) => Object.fromEntries(pairs));
    response.end(
      JSON.stringify({
        path: url.pathname,
        method: request.method,
        query,
        body,
        referer: request.headers.referer ?? null,
      }),
    );
  });
};

function certificate(dir: string): { readonly key: Buffer; readonly cert: Buffer } {
  const [key, cert] = [path.join(dir, 'client.key'), path.join(dir, 'client.crt')];
  const made = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=127.0.0.1',
  ];
  execFileSync('openssl', [...made, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

test.beforeAll(async () => {
  provider = await startProvider();
  const [plain, secure] = [createServer(showRequest), createTlsServer(certificate(provider.dir), showRequest)];
  clients = [plain, secure];
  clientUrl = `http://127.0.0.1:${await listen(plain)}`;
  secureUrl = `https://127.0.0.1:${await listen(secure)}`;
});
test.afterAll(async () => {
  for (const client of clients) client.close();
  await provider.end();
});

/** Fails the test when the content security policy blocked something. */
function watch(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (/content security policy|refused to/i.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

async function signIn(page: Page, address: string): Promise<void> {
  await page.goto(provider.url + address);
  await page.getByLabel('User name').fill('bob');
  await page.getByLabel('Password').fill('a rather long word');
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function openSignedIn(page: Page, address: string): Promise<void> {
  await signIn(page, address);
  await expect(page.getByRole('heading', { name: 'Give access to your account?' })).toBeVisible();
}

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
      const { application } = await provider.register({
        confidential: false,
        redirectUris: ['http://127.0.0.1/cb', 'http://127.0.0.1/onwards'],
      });
      await openSignedIn(
        page,
        authorizePath({ client_id: application.clientId, redirect_uri: `${clientUrl}/cb`, ...pkce, state: 'a b' }),
      );
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.waitForURL(`${clientUrl}/cb?**`);
      const answer = await shown(page);
      expect(answer.query).toEqual({ code: expect.stringMatching(/^[0-9a-f]{64}$/), state: 'a b', iss: provider.url });
      expect(answer.referer).toBeNull();

      await page.goto(
        provider.url +
          authorizePath({ client_id: application.clientId, redirect_uri: `${clientUrl}/onwards`, ...pkce }),
      );
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.waitForURL('http://localhost:*/done?**').catch(() => undefined);
      expect(new URL(page.url()).hostname + new URL(page.url()).pathname).toBe('localhost/done');
      expect(complaints).toEqual([]);
    });

    test('S36 denying reaches the client too', async ({ page }) => {
      const complaints = watch(page);
      const { application } = await provider.register({ redirectUris: [`${clientUrl}/cb`] });
      await openSignedIn(page, authorizePath({ client_id: application.clientId, redirect_uri: `${clientUrl}/cb` }));
      await page.getByRole('button', { name: 'Deny' }).click();
      await page.waitForURL(`${clientUrl}/cb?**`);
      expect((await shown(page)).query).toMatchObject({ error: 'access_denied', state: 'xyz' });
      expect(complaints).toEqual([]);
    });

    test('form_post posts to the client', async ({ page }) => {
      const complaints = watch(page);
      const { application } = await provider.register({ redirectUris: [`${clientUrl}/cb`] });
      await openSignedIn(
        page,
        authorizePath({ client_id: application.clientId, redirect_uri: `${clientUrl}/cb`, response_mode: 'form_post' }),
      );
      await page.getByRole('button', { name: 'Allow' }).click();
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Continue' }).click();
      await page.waitForURL(`${clientUrl}/cb`);
      expect(await shown(page)).toMatchObject({ method: 'POST', query: {}, body: { state: 'xyz', iss: provider.url } });
      expect(complaints).toEqual([]);
    });
  });
}

test('S28 from sign-in directly to a client that the user approved before', async ({ page }) => {
  const complaints = watch(page);
  const { application } = await provider.register({ trusted: true, redirectUris: [`${secureUrl}/cb`] });
  await signIn(
    page,
    authorizePath({ client_id: application.clientId, redirect_uri: `${secureUrl}/cb`, state: 'a b"\'&' }),
  );
  await page.waitForURL(`${secureUrl}/cb?**`);
  const { query, referer } = await shown(page);
  expect(query).toEqual({ code: expect.stringMatching(/^[0-9a-f]{64}$/), state: 'a b"\'&', iss: provider.url });
  expect(referer).toBeNull();
  expect(complaints).toEqual([]);
});

test('S28 a client with https', async ({ page }) => {
  const complaints = watch(page);
  const { application } = await provider.register({ redirectUris: [`${secureUrl}/cb`] });
  await openSignedIn(page, authorizePath({ client_id: application.clientId, redirect_uri: `${secureUrl}/cb` }));
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(`${secureUrl}/cb?**`);
  expect((await shown(page)).query).toMatchObject({ code: expect.stringMatching(/^[0-9a-f]{64}$/), state: 'xyz' });
  expect(complaints).toEqual([]);
});

test('S28 a client with a private-use scheme', async ({ page }) => {
  const complaints = watch(page);
  const redirectUri = 'com.example.plotter:/cb';
  const { application } = await provider.register({ confidential: false, redirectUris: [redirectUri] });
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

test('S34 a script in the name is shown, not run', async ({ page }) => {
  const complaints = watch(page);
  const { application } = await provider.register({
    name: '<img src=x onerror="document.title=1"><script>document.title=2</script>',
  });
  await openSignedIn(page, authorizePath({ client_id: application.clientId }));
  await expect(page.getByText('<script>document.title=2</script>')).toBeVisible();
  await expect(page).toHaveTitle('Give access - Benchport');
  expect(complaints).toEqual([]);
});

test('S37 the second click of a double click approves nothing, and a deliberate click does', async ({ page }) => {
  const { application } = await provider.register({ redirectUris: [`${clientUrl}/cb`] });
  await openSignedIn(page, authorizePath({ client_id: application.clientId, redirect_uri: `${clientUrl}/cb` }));
  const box = await page.getByRole('button', { name: 'Allow' }).boundingBox();
  const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 10];
  await page.mouse.move(1, 1);
  await page.mouse.click(x, y);
  await page.waitForTimeout(1000);
  expect(new URL(page.url()).origin).toBe(provider.url);
  await page.mouse.click(x, y);
  await page.waitForURL(`${clientUrl}/cb?code=**`);
});

test('the keyboard reaches deny first, then allow', async ({ page }) => {
  const { application } = await provider.register({ redirectUris: [`${clientUrl}/cb`] });
  await openSignedIn(page, authorizePath({ client_id: application.clientId, redirect_uri: `${clientUrl}/cb` }));
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Deny' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Allow' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${clientUrl}/cb?code=**`);
});

test('another user can sign in for the same request', async ({ page }) => {
  const { application } = await provider.register();
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
      const { application } = await provider.register({
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
