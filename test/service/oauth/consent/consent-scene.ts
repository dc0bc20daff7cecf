import { beforeAll, expect } from 'vitest';
import type { Application } from '../../../../src-main/service/oauth/shared/types.ts';
import type { Browser } from '../../browser.ts';
import { authorizePath, callback, startProvider } from '../authorize-fixture.ts';
import { useWorld } from '../../use-service.ts';

/** A provider with two users who are signed in. */
export function useConsent() {
  const provider = useWorld(startProvider);
  const scene = {} as { alice: Browser; bob: Browser };

  beforeAll(async () => {
    [scene.alice, scene.bob] = [await provider.signedIn('alice'), await provider.signedIn('bob')];
  });

  async function consent(
    application: Application,
    parameters: Parameters<typeof authorizePath>[0] = {},
    browser = scene.bob,
  ): Promise<string> {
    const response = await browser.get(authorizePath({ client_id: application.clientId, ...parameters }));
    expect(response.status).toBe(200);
    return response.text();
  }

  /** Exchanges a code as the client would. */
  async function exchange(clientId: string, secret: string | null, code: string): Promise<Response> {
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: callback,
      client_id: clientId,
      client_secret: secret ?? '',
    });
    return fetch(`${provider.url}/oauth/token`, { method: 'POST', body });
  }

  return Object.assign(scene, { provider, consent, exchange });
}
