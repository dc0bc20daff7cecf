import { describe, expect, test } from 'vitest';
import { browserAt } from '../../browser.ts';
import { answerOf, authorizePath, callback } from '../authorize-fixture.ts';
import { useAnswers } from './answers-scene.ts';

const scene = useAnswers();
const { errorOf, provider } = scene;

describe('OpenID Connect', () => {
  test('prompt=none never asks: login_required, consent_required, or the response', async () => {
    expect(
      (await errorOf(authorizePath({ client_id: scene.confidential, prompt: 'none' }), browserAt(provider))).error,
    ).toBe('login_required');
    const { application } = await provider.register();
    expect((await errorOf(authorizePath({ client_id: application.clientId, prompt: 'none' }))).error).toBe(
      'consent_required',
    );
    const trusted = (await provider.register({ trusted: true })).application;
    const response = await scene.bob.get(authorizePath({ client_id: trusted.clientId, prompt: 'none' }));
    expect(answerOf(response).members).toMatchObject({
      code: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      state: 'xyz',
    });
  });

  test.each(['login', 'select_account'])('prompt=%s asks for a fresh sign-in once', async (prompt) => {
    const browser = await provider.signedIn('bob');
    const first = await browser.get(authorizePath({ client_id: scene.confidential, prompt }));
    const location = first.headers.get('location') ?? '';
    expect(location).toMatch(/^\/users\/sign_in\?again=true&return_to=/);
    // The page asks although the user is signed in, and returning without a sign-in leads to it
    // again.
    expect(await (await browser.get(location)).text()).toContain('name="password"');
    const returnTo = new URL(location, provider.url).searchParams.get('return_to') ?? '';
    expect((await browser.get(returnTo)).headers.get('location')).toContain('/users/sign_in');
    const back = await browser.signIn('bob', 'a rather long word', new URL(location, provider.url).search);
    const page = await browser.get(back.headers.get('location') ?? '');
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Allow');
  });

  test('id_token_hint names the account that the client expects', async () => {
    const { application, secret } = await provider.register({ scopes: ['openid'], trusted: true });
    const request = { client_id: application.clientId, scope: 'openid' };
    const codeOf = (response: Response) => answerOf(response).members['code'];
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code: codeOf(await scene.bob.get(authorizePath(request))) ?? '',
      redirect_uri: callback,
      client_id: application.clientId,
      client_secret: secret ?? '',
    });
    const { id_token: hint = '' } = (await (
      await fetch(`${provider.url}/oauth/token`, { method: 'POST', body })
    ).json()) as Record<string, string>;
    expect(codeOf(await scene.bob.get(authorizePath({ ...request, prompt: 'none', id_token_hint: hint })))).toMatch(
      /^[0-9a-f]{64}$/,
    );

    const alice = await provider.signedIn('alice');
    expect((await errorOf(authorizePath({ ...request, prompt: 'none', id_token_hint: hint }), alice)).error).toBe(
      'login_required',
    );
    const location =
      (await alice.get(authorizePath({ ...request, id_token_hint: hint }))).headers.get('location') ?? '';
    const { search } = new URL(location, provider.url);
    const same = await alice.signIn('alice', 'a rather long word', search);
    expect((await errorOf(same.headers.get('location') ?? '', alice)).error).toBe('login_required');
    const other = await alice.signIn('bob', 'a rather long word', search);
    expect(codeOf(await alice.get(other.headers.get('location') ?? ''))).toMatch(/^[0-9a-f]{64}$/);

    const foreign = authorizePath({ client_id: scene.confidential, id_token_hint: hint });
    expect((await errorOf(foreign)).error).toBe('invalid_request');
    expect((await errorOf(authorizePath({ ...request, id_token_hint: `${hint.slice(0, -8)}AAAAAAAA` }))).error).toBe(
      'invalid_request',
    );
  });

  test('max_age asks for a sign-in that is younger', async () => {
    const browser = await provider.signedIn('bob');
    expect((await browser.get(authorizePath({ client_id: scene.confidential, max_age: '3600' }))).status).toBe(200);
    const response = await browser.get(authorizePath({ client_id: scene.confidential, max_age: '0' }));
    const location = new URL(response.headers.get('location') ?? '', provider.url);
    expect(location.pathname).toBe('/users/sign_in');
    expect(
      (await errorOf(authorizePath({ client_id: scene.confidential, max_age: '0', prompt: 'none' }), browser)).error,
    ).toBe('login_required');
    const back = await browser.signIn('bob', 'a rather long word', location.search);
    expect((await browser.get(back.headers.get('location') ?? '')).status).toBe(200);
  });
});
