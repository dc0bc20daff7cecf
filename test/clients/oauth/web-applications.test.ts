import { chromium, type Browser } from '@playwright/test';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { approve, approveInBrowser } from './approve.ts';
import { startPassportApplication } from './passport-application.ts';
import { startProvider, type Provider } from './start-provider.ts';

// Chromium enforces the content security policies of the visited pages.
// Third-party programs start slowly on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let provider: Provider;
let browser: Browser;
beforeAll(async () => {
  [provider, browser] = await Promise.all([
    startProvider(),
    chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] }),
  ]);
});
afterAll(async () => {
  await browser.close();
  await provider.end();
});

test('passport-gitlab2 signs a visitor in, with state and PKCE', async () => {
  const application = await startPassportApplication();
  try {
    const wish = {
      name: 'Plots <b>',
      redirectUris: [`${application.url}/callback`],
      scopes: ['read_user', 'read_measurement'],
      confidential: true,
    };
    const registered = await provider.register(wish);
    application.configure({
      ...registered,
      provider: provider.url,
      scope: ['read_user', 'read_measurement'],
      scopeSeparator: ' ',
    });
    const { url, text } = await approveInBrowser(browser, provider, application.url);
    expect(url.pathname).toBe('/callback');
    const came = JSON.parse(text) as { readonly accessToken: string };
    expect(came).toMatchObject({
      username: 'alice',
      name: 'Alice Ångström',
      email: 'alice@example.com',
      refreshToken: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    const fetched = await fetch(provider.download, { headers: { authorization: `Bearer ${came.accessToken}` } });
    expect(fetched.status).toBe(200);
  } finally {
    await application.end();
  }
});

test('passport-gitlab2 with several scopes and its default commas gets invalid_scope', async () => {
  const application = await startPassportApplication();
  try {
    const scopes = ['read_user', 'read_measurement'];
    const registered = await provider.register({
      name: 'Commas',
      redirectUris: [`${application.url}/callback`],
      scopes,
      confidential: true,
    });
    application.configure({ ...registered, provider: provider.url, scope: scopes });
    const sent = await fetch(application.url, { redirect: 'manual' });
    const back = await approve(provider, sent.headers.get('location') ?? '');
    expect(back.url.searchParams.get('error')).toBe('invalid_scope');
  } finally {
    await application.end();
  }
});

test('omniauth-gitlab signs a visitor in, fetches a measurement and refreshes', async () => {
  const application = spawn('/usr/bin/ruby', [path.join(import.meta.dirname, 'programs/omniauth-application.rb')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface(application.stdout)[Symbol.asyncIterator]();
    const next = async () => JSON.parse(String((await lines.next()).value)) as { readonly url: string };
    const { url } = await next();
    const scopes = ['read_user', 'read_measurement'];
    const registered = await provider.register({
      name: 'Rack',
      redirectUris: [`${url}/auth/gitlab/callback`],
      scopes,
      confidential: true,
    });
    const wish = { ...registered, url: provider.url, download: provider.download, scope: scopes.join(' ') };
    application.stdin.write(`${JSON.stringify(wish)}\n`);
    await next();
    const visit = await approveInBrowser(browser, provider, `${url}/auth/gitlab`);
    expect(JSON.parse(visit.text)).toEqual({
      username: 'alice',
      name: 'Alice Ångström',
      email: 'alice@example.com',
      expires: true,
      download: provider.downloadDigest,
      refreshed: true,
    });
  } finally {
    application.stdin.end();
    application.kill();
  }
});
