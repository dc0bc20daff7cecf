import { createHash, randomBytes } from 'node:crypto';
import type { CreatedApplication } from '../../../src-main/service/contract/applications.ts';
import {
  allowButton,
  callback,
  get,
  jsonOf,
  must,
  noteTokens,
  passwords,
  post,
  type Run,
  type TokenAnswer,
} from './run-requests.ts';
import type { Visitor } from './visitor.ts';

/** The URL of an authorization request, and the values needed to exchange its code. */
function wishForCode(run: Run, application: CreatedApplication, parameters: Readonly<Record<string, string>>) {
  const verifier = run.secrets.note('a code verifier', randomBytes(32).toString('base64url'));
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: application.client_id,
    redirect_uri: callback,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...parameters,
  });
  return { verifier, address: `/oauth/authorize?${query.toString()}` };
}

/** The code grant from consent to tokens with every failure on the way, then refresh and reuse. */
export async function codeFlow(run: Run, browser: Visitor, application: CreatedApplication): Promise<TokenAnswer> {
  const state = run.secrets.note('a state', randomBytes(16).toString('hex'));
  const { verifier, address } = wishForCode(run, application, { scope: 'api openid profile email', state });
  const denied = await browser.press(must(await browser.get(address), 200), /^deny$/i);
  if (denied.url.searchParams.get('error') !== 'access_denied') throw new Error('the denial did not arrive');
  const back = await browser.press(must(await browser.get(address), 200), allowButton);
  const code = run.secrets.note('an authorization code', back.url.searchParams.get('code') ?? '');
  const client = {
    client_id: application.client_id,
    ...(application.client_secret === null ? {} : { client_secret: application.client_secret }),
  };
  const exchange = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier };
  if (application.client_secret !== null) {
    const wrong = run.secrets.note('a wrong client secret', `bpas-${randomBytes(32).toString('hex')}`);
    must(await post(run, '/oauth/token', { ...exchange, ...client, client_secret: wrong }), 401);
  }
  must(await post(run, '/oauth/token', { ...exchange, ...client, redirect_uri: 'https://elsewhere.example/' }), 400);
  const first = noteTokens(run, 'a code', await post(run, '/oauth/token', { ...exchange, ...client }));
  const second = noteTokens(
    run,
    'a refresh',
    await post(run, '/oauth/token', {
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token ?? '',
      ...client,
    }),
  );
  must(await get(run, '/api/v4/user', { authorization: `Bearer ${second.access_token}` }), 200);
  return second;
}

export async function replayCode(run: Run, browser: Visitor, application: CreatedApplication): Promise<void> {
  const { verifier, address } = wishForCode(run, application, { scope: 'read_user' });
  let page = await browser.get(address);
  if (page.status === 200) page = await browser.press(page, allowButton);
  const code = run.secrets.note('a code that is replayed', page.url.searchParams.get('code') ?? '');
  const exchange = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: callback,
    code_verifier: verifier,
    client_id: application.client_id,
  };
  noteTokens(run, 'a code that is replayed', await post(run, '/oauth/token', exchange));
  must(await post(run, '/oauth/token', exchange), 400);
}

export async function implicitFlow(run: Run, browser: Visitor, clientId: string): Promise<void> {
  const query = new URLSearchParams({
    response_type: 'token',
    client_id: clientId,
    redirect_uri: callback,
    scope: 'read_user',
    state: 'x',
  });
  const back = await browser.press(must(await browser.get(`/oauth/authorize?${query.toString()}`), 200), allowButton);
  run.secrets.note(
    'the access token of the implicit grant',
    new URLSearchParams(back.url.hash.slice(1)).get('access_token') ?? '',
  );
}

/** The password grant with a client, without one, and with a wrong password. */
export async function passwordGrant(run: Run, application: CreatedApplication): Promise<TokenAnswer> {
  const authorization = `Basic ${Buffer.from(`${application.client_id}:${application.client_secret ?? ''}`).toString('base64')}`;
  const wrong = run.secrets.note('a wrong password', 'mauve Pangolin 40?');
  must(
    await post(run, '/oauth/token', { grant_type: 'password', username: 'bob', password: wrong }, { authorization }),
    400,
  );
  noteTokens(
    run,
    'the password grant without a client',
    await post(run, '/oauth/token', { grant_type: 'password', username: 'bob', password: passwords.bob }),
  );
  const grant = { grant_type: 'password', username: 'bob', password: passwords.bob, scope: 'read_user' };
  return noteTokens(run, 'the password grant', await post(run, '/oauth/token', grant, { authorization }));
}

export async function deviceFlow(run: Run, browser: Visitor, clientId: string): Promise<void> {
  interface Device {
    readonly device_code: string;
    readonly user_code: string;
    readonly verification_uri_complete: string;
  }
  const begun = jsonOf(
    must(await post(run, '/oauth/authorize_device', { client_id: clientId, scope: 'read_user' }), 200),
  ) as Device;
  run.secrets.note('a device code', begun.device_code);
  run.secrets.note('a user code', begun.user_code);
  run.secrets.note('a user code without its dash', begun.user_code.replaceAll('-', ''));
  const poll = {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: begun.device_code,
    client_id: clientId,
  };
  must(await post(run, '/oauth/token', poll), 400);
  const complete = new URL(begun.verification_uri_complete);
  let page = must(await browser.get(complete.pathname + complete.search), 200);
  page = must(await browser.press(page, /^continue$/i), 200);
  must(await browser.press(page, allowButton), 200);
  // Polling sooner than the interval would get slow_down.
  await new Promise((resolve) => setTimeout(resolve, 5500));
  noteTokens(run, 'a device', await post(run, '/oauth/token', poll));
}
