import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { browserAt } from '../../browser.ts';
import { answerOf, authorizePath, callback, pkce, press } from '../authorize-fixture.ts';
import { useAnswers } from './answers-scene.ts';

const scene = useAnswers();
const { provider, errorOf } = scene;

describe('S21 state is returned unchanged', () => {
  const approved = async (parameters: Parameters<typeof authorizePath>[0]) => {
    const page = await (await scene.bob.get(authorizePath({ prompt: 'consent', ...parameters }))).text();
    return (await press(scene.bob, page, 'approve')).headers.get('location') ?? '';
  };
  test.each([
    ['letters', 'abc'],
    ['what has a meaning in addresses', 'a b+c&d=e%20f?g#h/i\\j"k\'l<m>'],
    ['JSON', '{"a":[1,2],"b":"\\u00e9"}'],
    ['other alphabets', 'Grüße €'],
    ['line breaks', 'a\r\nSet-Cookie: x=y'],
    ['4096 bytes', 'x'.repeat(4096)],
  ])('%s', async (_name, state) => {
    const location = await approved({ client_id: scene.confidential, state });
    expect(new URL(location).searchParams.getAll('state')).toEqual([state]);
    expect(location).not.toMatch(/[\r\n ]/);
  });

  test('once, also when the registered URI has one, whose other parameters stay', async () => {
    const uri = 'https://app.example/cb?tenant=7&state=old&%73tate=older&code=no&x=a%2Fb';
    const { application } = await provider.register({ redirectUris: [uri] });
    const location = await approved({ client_id: application.clientId, redirect_uri: uri, state: 'new' });
    expect(location).toMatch(/^https:\/\/app\.example\/cb\?tenant=7&x=a%2Fb&code=[0-9a-f]{64}&state=new&iss=/);
  });

  test('not at all when there was none', async () => {
    expect(await approved({ client_id: scene.confidential, state: null })).not.toContain('state');
  });

  test('S23 a longer one is refused, without state', async () => {
    const { error, members } = await errorOf(authorizePath({ client_id: scene.confidential, state: 'x'.repeat(4097) }));
    expect(error).toBe('invalid_request');
    expect(members).not.toHaveProperty('state');
  });

  test('a state that is not valid text is refused, without state', async () => {
    const { error, members } = await errorOf(
      authorizePath({ client_id: scene.confidential, state: 'BYTES' }).replace('BYTES', '%E9%FF'),
    );
    expect(error).toBe('invalid_request');
    expect(members).not.toHaveProperty('state');
  });

  test('S23 an address over 16 KiB is refused without a crash', async () => {
    expect(
      (await scene.bob.get(authorizePath({ client_id: scene.confidential, state: 'x'.repeat(20_000) }))).status,
    ).toBe(431);
    expect(
      (await scene.bob.get(authorizePath({ client_id: scene.confidential, state: '"'.repeat(4096) }))).status,
    ).toBe(200);
    const random = randomBytes(11_000).toString('base64url');
    const unpackable = await browserAt(provider).get(
      authorizePath({ client_id: scene.confidential, id_token_hint: random }),
    );
    expect(answerOf(unpackable).members['error']).toBe('invalid_request');
  });
});

describe('S22 iss', () => {
  test('is the base URL in responses and errors', async () => {
    const page = await (
      await scene.bob.get(authorizePath({ client_id: scene.confidential, prompt: 'consent' }))
    ).text();
    expect(answerOf(await press(scene.bob, page, 'approve')).members['iss']).toBe(provider.url);
    expect((await errorOf(authorizePath({ client_id: scene.confidential, scope: 'nothing' }))).members['iss']).toBe(
      provider.url,
    );
  });
});

describe('S15 a request without scope', () => {
  test('gets api, as the page says, when the application may have it', async () => {
    for (const scope of [null, '', ' ']) {
      const page = await (
        await scene.bob.get(authorizePath({ client_id: scene.confidential, scope, prompt: 'consent' }))
      ).text();
      expect([...page.matchAll(/<code>(\w+)<\/code><\/li>/g)].map((match) => match[1])).toEqual(['api']);
    }
  });
  test('is refused otherwise', async () => {
    const { application } = await provider.register({ scopes: ['read_user'] });
    expect((await errorOf(authorizePath({ client_id: application.clientId, scope: null }))).error).toBe(
      'invalid_scope',
    );
  });
});

describe('S13 the implicit grant', () => {
  test('answers in the fragment, with the token, its scopes and iss', async () => {
    const page = await (await scene.bob.get(authorizePath({ client_id: scene.legacy, response_type: 'token' }))).text();
    const response = await press(scene.bob, page, 'approve');
    expect(response.status).toBe(303);
    const location = response.headers.get('location') ?? '';
    expect(location.startsWith(`${callback}#access_token=`)).toBe(true);
    const { members } = answerOf(response);
    expect(members).toEqual({
      access_token: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      token_type: 'bearer',
      expires_in: '7200',
      scope: 'read_user',
      state: 'xyz',
      iss: provider.url,
    });
    const user = await fetch(`${provider.url}/api/v4/user`, {
      headers: { authorization: `Bearer ${members['access_token']}` },
    });
    expect(await user.json()).toMatchObject({ username: 'bob' });
  });

  test('is denied in the fragment too', async () => {
    const page = await (await scene.bob.get(authorizePath({ client_id: scene.legacy, response_type: 'token' }))).text();
    expect((await press(scene.bob, page, 'deny')).headers.get('location')).toMatch(
      /^https:\/\/app\.example\/callback#error=access_denied&/,
    );
  });

  test('never puts a token into a query', async () => {
    const response = await scene.bob.get(
      authorizePath({ client_id: scene.legacy, response_type: 'token', response_mode: 'query' }),
    );
    expect(response.headers.get('location')).toMatch(/^https:\/\/app\.example\/callback#error=invalid_request&/);
  });

  test('is refused to every other application', async () => {
    const response = await scene.bob.get(authorizePath({ client_id: scene.confidential, response_type: 'token' }));
    expect(response.headers.get('location')).toContain('#error=unsupported_response_type&');
  });
});

test("S28 a response right after the sign-in uses a page, because browsers apply the form's policy to redirects", async () => {
  const { clientId } = (await provider.register({ trusted: true })).application;
  const browser = browserAt(provider);
  const first = await browser.get(authorizePath({ client_id: clientId }));
  const back = await browser.signIn(
    'bob',
    'a rather long word',
    new URL(first.headers.get('location') ?? '', provider.url).search,
  );
  const page = await browser.get(back.headers.get('location') ?? '');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self';");
  expect([page.headers.get('cache-control'), page.headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
  const { url, members } = answerOf(page);
  expect([url, members['state'], members['iss']]).toEqual([callback, 'xyz', provider.url]);
  expect(await page.text()).toContain(`<a href="${callback}?code=${members['code'] ?? ''}&amp;state=xyz`);
});

describe('response_mode', () => {
  test('query and fragment', async () => {
    for (const [mode, mark] of [
      ['query', '?'],
      ['fragment', '#'],
    ] as const) {
      const page = await (
        await scene.bob.get(authorizePath({ client_id: scene.confidential, response_mode: mode, prompt: 'consent' }))
      ).text();
      expect(
        (await press(scene.bob, page, 'approve')).headers.get('location')?.startsWith(`${callback}${mark}code=`),
      ).toBe(true);
    }
  });

  test('form_post is a page with a form, which works without its script', async () => {
    const state = '"><b>&amp;';
    const page = await (
      await scene.bob.get(
        authorizePath({ client_id: scene.confidential, response_mode: 'form_post', prompt: 'consent', state }),
      )
    ).text();
    const response = await press(scene.bob, page, 'approve');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('content-security-policy')).toContain("form-action 'self' https:;");
    const form = await response.text();
    expect(form).toContain(`action="${callback}"`);
    expect(form).toMatch(/name="code" value="[0-9a-f]{64}"/);
    expect(form).toContain('name="state" value="&quot;&gt;&lt;b&gt;&amp;amp;"');
    expect(form).toContain('>Continue</button>');
    const script = /src="([^"]+)"/.exec(form)?.[1] ?? '';
    expect(await (await fetch(provider.url + script)).text()).toContain('submit()');
  });

  test('form_post cannot target a program on the device', async () => {
    const path = authorizePath({
      client_id: scene.publicClient,
      redirect_uri: 'com.example.plotter:/cb',
      response_mode: 'form_post',
      ...pkce,
    });
    const { url, error } = await errorOf(path);
    expect([url, error]).toEqual(['com.example.plotter:/cb', 'invalid_request']);
  });
});
