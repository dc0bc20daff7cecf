import { describe, expect, test } from 'vitest';
import type { Application } from '../../../../src-main/service/oauth/shared/types.ts';
import { answerOf, authorizePath, callback, pkce, press } from '../authorize-fixture.ts';
import { useConsent } from './consent-scene.ts';

const scene = useConsent();
const { consent, exchange, provider } = scene;

describe('S35 consent is skipped', () => {
  async function approveOnce(application: Application, secret: string | null, scope = 'read_user'): Promise<void> {
    const { members } = answerOf(await press(scene.bob, await consent(application, { scope }), 'approve'));
    expect((await exchange(application.clientId, secret, members['code'] ?? '')).status).toBe(200);
  }
  const ask = (application: Application, parameters = {}) =>
    scene.bob.get(authorizePath({ client_id: application.clientId, ...parameters }));

  test('for users who approved the same scopes of a confidential application before', async () => {
    const { application, secret } = await provider.register();
    await approveOnce(application, secret, 'read_user read_api');
    const same = await ask(application, { scope: 'read_api read_user' });
    expect(same.status).toBe(302);
    expect(answerOf(same).members['code']).toMatch(/^[0-9a-f]{64}$/);
    expect(provider.audited(application.id)).toContainEqual({
      action: 'oauth.approve',
      detail: 'approved before, code, read_api read_user',
    });
    expect((await ask(application, { scope: 'read_user' })).status).toBe(200);
    expect((await ask(application, { scope: 'read_user api' })).status).toBe(200);
    expect((await ask(application, { scope: 'api read_user read_api' })).status).toBe(200);
    expect((await ask(application, { scope: 'read_api read_user', prompt: 'consent' })).status).toBe(200);
    // Another user is asked.
    expect(
      (await scene.alice.get(authorizePath({ client_id: application.clientId, scope: 'read_api read_user' }))).status,
    ).toBe(200);
    // P24: after a revocation the user is asked again.
    await provider.services.oauth.revokeOfUserAndApplication(provider.ids.bob, application.id);
    expect((await ask(application, { scope: 'read_api read_user' })).status).toBe(200);
  });

  test('not after a code that was never exchanged', async () => {
    const { application } = await provider.register();
    await press(scene.bob, await consent(application), 'approve');
    expect((await ask(application)).status).toBe(200);
  });

  test('never for users of a public application', async () => {
    const { application } = await provider.register({ confidential: false });
    const first = await press(scene.bob, await consent(application, pkce), 'approve');
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: answerOf(first).members['code'] ?? '',
      redirect_uri: callback,
      client_id: application.clientId,
      code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    });
    expect((await fetch(`${provider.url}/oauth/token`, { method: 'POST', body })).status).toBe(200);
    expect((await ask(application, pkce)).status).toBe(200);
  });

  test('for a trusted application, unless the client requests it; a public one cannot be trusted', async () => {
    const { application } = await provider.register({ trusted: true });
    expect((await ask(application)).status).toBe(302);
    expect((await ask(application, { prompt: 'consent' })).status).toBe(200);
    expect(provider.audited(application.id)).toContainEqual({
      action: 'oauth.approve',
      detail: 'trusted, code, read_user',
    });
    await expect(provider.register({ trusted: true, confidential: false })).rejects.toThrow('cannot be trusted');
  });

  test('not for the implicit grant, also of a trusted application', async () => {
    const { application } = await provider.register({ trusted: true, legacyImplicit: true });
    expect((await ask(application, { response_type: 'token' })).status).toBe(200);
  });
});
