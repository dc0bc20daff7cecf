import { beforeAll, expect } from 'vitest';
import type { CreatedApplication, OAuthApplication } from '../../../../src-main/service/contract/applications.ts';
import { csrfOf, type Browser } from '../../browser.ts';
import { callback, startProvider } from '../authorize-fixture.ts';
import { useWorld } from '../../use-service.ts';

export const path = '/api/v4/user/applications';
export const plotter = { name: 'Plotter', redirect_uris: [callback], scopes: ['read_user'], confidential: true };

/** A provider with two users who register applications. */
export function useApplications() {
  const provider = useWorld(startProvider);
  const scene = {} as { alice: Browser; bob: Browser };

  beforeAll(async () => {
    [scene.alice, scene.bob] = [await provider.signedIn('alice'), await provider.signedIn('bob')];
  });

  async function send(browser: Browser, method: string, url: string, body?: unknown) {
    const headers = {
      'x-csrf-token': await csrfOf(browser),
      'sec-fetch-site': 'same-origin',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const init = {
      method,
      headers: { ...headers, cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
    const response = await fetch(provider.url + url, init);
    const text = await response.text();
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: (text === '' ? null : JSON.parse(text)) as Record<string, unknown>,
    };
  }

  async function created(browser: Browser, wish: object = {}): Promise<CreatedApplication> {
    const { status, body } = await send(browser, 'POST', path, { ...plotter, ...wish });
    expect(status).toBe(201);
    return body as unknown as CreatedApplication;
  }

  async function list(browser: Browser, query = ''): Promise<OAuthApplication[]> {
    return (await send(browser, 'GET', path + query)).body as unknown as OAuthApplication[];
  }

  return Object.assign(scene, { provider, created, list, send });
}
