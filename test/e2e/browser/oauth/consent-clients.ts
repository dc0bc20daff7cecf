import { expect, test, type Page } from '@playwright/test';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSigned } from '../../../faults/self-signed.ts';
import { challenge, startProvider, type Provider } from '../../../service/oauth/authorize-fixture.ts';

export const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Fails the test when the content security policy blocked something. */
export function watch(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (/content security policy|refused to/i.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

/** A provider and the clients that wait for its redirects. */
export function useClients() {
  const scene = {} as { provider: Provider; clientUrl: string; secureUrl: string };
  let clients: readonly Server[];

  /**
   * A client that shows its parameters; "/onwards" redirects to another of its hosts, as clients do.
   */
  const showRequest: RequestListener = (request, response) => {
    const url = new URL(request.url ?? '/', 'http://client');
    if (url.pathname === '/onwards')
      return void response
        .writeHead(302, { location: `${scene.clientUrl.replace('127.0.0.1', 'localhost')}/done${url.search}` })
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

  test.beforeAll(async () => {
    scene.provider = await startProvider();
    const [plain, secure] = [createServer(showRequest), createTlsServer(selfSigned(), showRequest)];
    clients = [plain, secure];
    scene.clientUrl = `http://127.0.0.1:${await listen(plain)}`;
    scene.secureUrl = `https://127.0.0.1:${await listen(secure)}`;
  });
  test.afterAll(async () => {
    for (const client of clients) client.close();
    await scene.provider.end();
  });

  async function signIn(page: Page, address: string): Promise<void> {
    await page.goto(scene.provider.url + address);
    await page.getByLabel('User name').fill('bob');
    await page.getByLabel('Password').fill('a rather long word');
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  async function openSignedIn(page: Page, address: string): Promise<void> {
    await signIn(page, address);
    await expect(page.getByRole('heading', { name: 'Give access to your account?' })).toBeVisible();
  }

  return Object.assign(scene, { openSignedIn, signIn });
}
