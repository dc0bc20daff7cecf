import type { CreatedToken } from '../../../src-main/service/contract/accounts.ts';
import type { CreatedApplication } from '../../../src-main/service/contract/applications.ts';
import { oathtool } from '../accounts/second-factor-browser.ts';
import { until } from '../until.ts';
import { callback, get, jsonOf, must, passwords, post, signInButton, type Run } from './run-requests.ts';
import { visitor, type Visit, type Visitor } from './visitor.ts';

/** The code of an authenticator. @param stepsBack for several codes within one time step. */
const totpCode = (key: string, stepsBack: number) => oathtool(key, Date.now() - stepsBack * 30_000);

/** First run: alice becomes the owner with the printed code; bob is added on the command line. */
export async function signUp(run: Run): Promise<Visitor> {
  const printed = () => /setup\?code=(\S+) in/.exec(run.service.output().stderr)?.[1];
  await until(() => printed() !== undefined, 'the setup code is printed');
  const setupCode = printed() ?? '';
  run.secrets.note('the password of alice', passwords.alice);
  run.secrets.note('the password of bob', passwords.bob);
  const browser = visitor(run.service.url, run.secrets);
  must(
    await browser.send('POST', `/api/v4/setup?code=wrong-${setupCode}`, {
      username: 'alice',
      name: 'Alice',
      password: passwords.alice,
    }),
    403,
  );
  must(
    await browser.send('POST', `/api/v4/setup?code=${setupCode}`, {
      username: 'alice',
      name: 'Alice',
      password: passwords.alice,
    }),
    201,
  );
  run.secrets.note('the setup code', setupCode);
  await run.cli.ok(['user', 'create', 'bob', '--password-stdin'], `${passwords.bob}\n`);
  return browser;
}

export async function signIn(run: Run, username: string, password: string): Promise<Visitor> {
  const browser = visitor(run.service.url, run.secrets);
  const page = await browser.press(must(await browser.get('/users/sign_in'), 200), signInButton, {
    username,
    password,
  });
  if (page.url.pathname === '/users/sign_in') throw new Error(`${username} was not signed in: ${page.status}`);
  return browser;
}

export interface Applications {
  readonly server: CreatedApplication;
  readonly desktop: CreatedApplication;
  readonly old: { readonly client_id: string };
}

export async function makeApplications(run: Run, browser: Visitor): Promise<Applications> {
  const scopes = ['api', 'read_api', 'read_user', 'openid', 'profile', 'email'];
  const make = async (name: string, confidential: boolean) => {
    const body = { name, redirect_uris: [callback], scopes, confidential, device_grant: true };
    const made = jsonOf(must(await browser.send('POST', '/api/v4/user/applications', body), 201)) as CreatedApplication;
    if (made.client_secret !== null) run.secrets.note(`the secret of ${name}`, made.client_secret);
    return made;
  };
  const server = await make('Server', true);
  const renewed = must(await browser.send('POST', `/api/v4/user/applications/${server.id}/renew_secret`), 200);
  const secret = run.secrets.note(
    'the renewed secret of Server',
    (jsonOf(renewed) as { readonly secret: string }).secret,
  );
  const text = await run.cli.ok([
    'app',
    'create',
    '--owner',
    'alice',
    '--name',
    'Old',
    '--redirect-uri',
    callback,
    '--scopes',
    'read_user',
    '--legacy-implicit',
  ]);
  const old = JSON.parse(text) as { readonly client_id: string; readonly client_secret: string };
  run.secrets.note('the secret of Old', old.client_secret);
  return { server: { ...server, client_secret: secret }, desktop: await make('Desktop', false), old };
}

/** Authenticator and recovery codes: turned on, a wrong code, a right one, a recovery code. */
export async function secondFactor(run: Run, browser: Visitor): Promise<Visitor> {
  const { secret } = jsonOf(must(await browser.send('POST', '/api/v4/user/totp'), 201)) as { readonly secret: string };
  const key = run.secrets.note('the key of the authenticator', secret);
  // The code must not expire before it is received.
  const left = 30_000 - (Date.now() % 30_000);
  if (left < 8000) await new Promise((resolve) => setTimeout(resolve, left));
  const confirmed = must(await browser.send('POST', '/api/v4/user/totp/confirm', { code: totpCode(key, 1) }), 200);
  const { recovery_codes: codes } = jsonOf(confirmed) as { readonly recovery_codes: readonly string[] };
  for (const code of codes) {
    run.secrets.note('a recovery code', code);
    run.secrets.note('a recovery code without dashes', code.replaceAll('-', ''));
  }
  const again = async (code: string): Promise<{ readonly browser: Visitor; readonly page: Visit }> => {
    const other = visitor(run.service.url, run.secrets);
    const form = await other.press(must(await other.get('/users/sign_in'), 200), signInButton, {
      username: 'alice',
      password: passwords.alice,
    });
    return { browser: other, page: await other.press(form, /^continue$/i, { code }) };
  };
  must((await again('not-a-code-of-hers')).page, 422);
  const withCode = await again(totpCode(key, 0));
  must(await withCode.browser.get('/api/v4/user'), 200);
  const withRecovery = await again(codes[0] ?? '');
  must(await withRecovery.browser.get('/api/v4/user'), 200);
  const renewed = must(await withCode.browser.send('POST', '/api/v4/user/recovery_codes'), 201);
  for (const code of (jsonOf(renewed) as { readonly recovery_codes: readonly string[] }).recovery_codes)
    run.secrets.note('a renewed recovery code', code);
  return withCode.browser;
}

/** Tokens made in the browser and on the command line, rotated, reused, revoked. */
export async function personalTokens(run: Run, browser: Visitor): Promise<string> {
  const note = (visit: Visit, status: number) =>
    run.secrets.note('a personal access token', (jsonOf(must(visit, status)) as CreatedToken).token);
  const rotate = async (token: string) => {
    const response = await fetch(`${run.service.url}/api/v4/personal_access_tokens/self/rotate`, {
      method: 'POST',
      headers: { 'private-token': token },
    });
    return note(
      { url: new URL(response.url), status: response.status, headers: response.headers, text: await response.text() },
      200,
    );
  };
  const make = async () =>
    note(await browser.send('POST', '/api/v4/user/personal_access_tokens', { name: 'lab', scopes: ['api'] }), 201);
  const rotated = await make();
  await rotate(await rotate(rotated));
  must(await get(run, '/api/v4/user', { 'private-token': rotated }), 401);
  run.secrets.note(
    'a personal access token',
    await run.cli.ok(['token', 'create', '--user', 'bob', '--name', 'bench', '--scopes', 'read_api']),
  );
  return make();
}

/** Downloads with each kind of credential, and with the credential in the wrong places. */
export async function useTokens(run: Run, personal: string, access: string, clients: Applications): Promise<void> {
  for (const headers of [
    { authorization: `Bearer ${personal}` },
    { 'private-token': personal },
    { authorization: `Bearer ${access}` },
  ]) {
    must(await get(run, '/measurements/QX-7', headers), 200);
    must(await get(run, '/measurements/QX-7/files/0', { ...headers, range: 'bytes=0-9' }), 206);
    must(await get(run, '/measurements/QX-7/files', headers), 200);
  }
  must(await get(run, `/api/v4/user?access_token=${personal}`), 200);
  must(await get(run, `/oauth/token/info?access_token=${access}`), 200);
  must(await get(run, '/oauth/userinfo', { authorization: `Bearer ${access}` }), 200);
  must(await get(run, `/measurements/QX-7?access_token=${access}`), 401);
  must(await get(run, `/api/v4/user?access_token=${access}`, { 'private-token': personal }), 400);
  const client = { client_id: clients.server.client_id, client_secret: clients.server.client_secret ?? '' };
  must(await post(run, '/oauth/introspect', { token: access, ...client }), 200);
  must(await post(run, '/oauth/revoke', { token: personal, ...client }), 200);
}

/** Secrets in the wrong places: invalid requests must not be logged with them either. */
export async function misplace(run: Run, personal: string, access: string): Promise<void> {
  const paths = [
    `/${personal}`,
    `/api/v4/personal_access_tokens/${personal}`,
    `/measurements/${access}`,
    `/oauth/authorize/${access}`,
    `/?${personal}`,
  ];
  for (const path of paths) await get(run, path);
  for (const body of [
    `{"grant_type":"password","password":"${passwords.bob}"`,
    `password=${passwords.bob}&%zz=${access}`,
    `"${personal}"`,
  ]) {
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'application/xml']) {
      for (const path of [
        '/oauth/token',
        '/oauth/revoke',
        '/oauth/introspect',
        '/api/v4/user/personal_access_tokens',
        '/users/sign_in',
        '/oauth/authorize',
      ]) {
        await fetch(run.service.url + path, {
          method: 'POST',
          body,
          headers: { 'content-type': type, authorization: `Bearer ${personal}` },
        });
      }
    }
  }
  for (const authorization of [
    personal,
    `Basic ${personal}`,
    `Token ${access}`,
    `Bearer ${personal} ${access}`,
    `Bearer "${access}"`,
  ]) {
    await get(run, '/api/v4/user', { authorization });
    await post(run, '/oauth/token', { grant_type: personal, [access]: 'x' }, { authorization });
  }
  const browser = visitor(run.service.url, run.secrets);
  // The password in the field of the name.
  await browser.press(await browser.get('/users/sign_in'), signInButton, {
    username: passwords.alice,
    password: passwords.alice,
  });
  await get(run, '/api/v4/user', { cookie: `benchport_session=${access}` });
  await get(run, `/users/sign_in?return_to=/oauth/authorize%3Fcode%3D${access}`);
}

export async function changePassword(run: Run, browser: Visitor): Promise<void> {
  run.secrets.note('the later password of alice', passwords.aliceLater);
  const wrong = run.secrets.note('a wrong current password', 'ochre Axolotl 12#');
  const change = (current: string) => ({
    current_password: current,
    new_password: passwords.aliceLater,
    revoke_tokens: false,
  });
  const refused = await browser.send('PUT', '/api/v4/user/password', change(wrong));
  if (refused.status < 400) throw new Error('a wrong password changed the password');
  must(await browser.send('PUT', '/api/v4/user/password', change(passwords.alice)), 204);
}

/**
 * Everything that the screens can read as an administrator: every GET of the OpenAPI document, for
 * some of each kind.
 */
export async function readEverything(browser: Visitor): Promise<readonly Visit[]> {
  const document = jsonOf(must(await browser.get('/api/openapi.json'), 200)) as {
    readonly paths: Record<string, object>;
  };
  const answers: Visit[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    // The event stream is endless; the private listener has no secrets of this list.
    if (!('get' in item) || path === '/api/v4/events' || path.startsWith('/api/v4/local/')) continue;
    for (const id of path.includes('{') ? ['1', '2', '3', 'QX-7'] : [''])
      answers.push(await browser.get(path.replaceAll(/\{\w+\}/g, id)));
  }
  return answers;
}
