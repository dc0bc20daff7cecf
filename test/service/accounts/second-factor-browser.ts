import { execFileSync } from 'node:child_process';
import { addUser } from '../people.ts';
import type { TestService } from '../start.ts';
import { browserAt, csrfOf, hiddenFields, type Browser } from '../browser.ts';

export const password = 'a long password';

/** A signed-in browser that sends JSON as the screens do. */
export interface SignedIn {
  readonly browser: Browser;
  readonly userId: number;
  call(method: string, path: string, body?: unknown): Promise<Response>;
}

/** Adds an account with the default password and signs a browser in. */
export async function signedIn(service: TestService, username: string, admin = false): Promise<SignedIn> {
  const user = await addUser(service.services, username, { password, isAdmin: admin });
  return again(service, username, user.id);
}

/** Signs another browser of the same user in. */
export async function again(service: TestService, username: string, userId: number): Promise<SignedIn> {
  const browser = browserAt(service);
  const answer = await browser.signIn(username, password);
  if (answer.headers.get('location') !== '/ui/') throw new Error(`not signed in: ${answer.status}`);
  return withCsrf(browser, userId);
}

export async function withCsrf(browser: Browser, userId: number): Promise<SignedIn> {
  const csrf = await csrfOf(browser);
  return {
    browser,
    userId,
    call: (method, path, body = {}) => browser.send(method, path, body, { 'x-csrf-token': csrf }),
  };
}

/** The code that oathtool, an independent implementation, computes for a key and a time. */
export function oathtool(key: string, at: number = Date.now()): string {
  return execFileSync(
    'oathtool',
    ['--totp', '--base32', `--now=${new Date(at).toISOString().replace('T', ' ').slice(0, 19)} UTC`, key],
    {
      encoding: 'utf8',
    },
  ).trim();
}

/**
 * Waits for the next time step if the current one is nearly over, so that no code expires within a
 * test.
 */
async function stepWithTimeLeft(): Promise<void> {
  const left = 30_000 - (Date.now() % 30_000);
  if (left < 4000) await new Promise((resolve) => setTimeout(resolve, left));
}

/**
 * Turns the authenticator on with the code of the previous step, which leaves the current one
 * unused.
 */
export async function turnTotpOn(
  user: SignedIn,
): Promise<{ readonly key: string; readonly recoveryCodes: readonly string[] }> {
  await stepWithTimeLeft();
  const { secret } = (await (await user.call('POST', '/api/v4/user/totp')).json()) as { readonly secret: string };
  const answer = await user.call('POST', '/api/v4/user/totp/confirm', { code: oathtool(secret, Date.now() - 30_000) });
  if (answer.status !== 200) throw new Error(`not confirmed: ${answer.status} ${await answer.text()}`);
  return {
    key: secret,
    recoveryCodes: ((await answer.json()) as { readonly recovery_codes: readonly string[] }).recovery_codes,
  };
}

export const secondFactor = '/users/sign_in/second_factor';

/** Submits the form of the second factor. */
export async function sendFactor(
  browser: Browser,
  fields: Record<string, string>,
  form?: Record<string, string>,
): Promise<Response> {
  return browser.postForm(secondFactor, { ...(form ?? (await factorForm(browser))), ...fields });
}

export async function factorForm(browser: Browser): Promise<Record<string, string>> {
  const { form_token = '' } = hiddenFields(await (await browser.get(secondFactor)).text());
  return { form_token };
}
