import type { RegisteredApplication } from '../../../src-main/service/oauth/applications/register-application.ts';
import { addUser } from '../people.ts';
import { callback, startProvider, type Provider } from './authorize-fixture.ts';

export const password = 'a rather long word';

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

export interface Pair {
  readonly access: string;
  readonly refresh: string;
}

export interface Issuer extends Provider {
  /** Posts a form to an endpoint. */
  post(
    path: string,
    form: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answered>;
  /** Posts a form to the token endpoint. */
  tokenRequest(form: Readonly<Record<string, string>>, headers?: Readonly<Record<string, string>>): Promise<Answered>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answered>;
  /** A code that alice has approved. */
  code(registered: RegisteredApplication, options?: CodeOptions): Promise<string>;
  /** The form that exchanges a code, with the client in the body. */
  exchange(
    registered: RegisteredApplication,
    code: string,
    more?: Readonly<Record<string, string>>,
  ): Readonly<Record<string, string>>;
  /** Exchanges a new code. */
  pair(registered: RegisteredApplication, options?: CodeOptions): Promise<Pair>;
  refresh(
    registered: RegisteredApplication,
    refresh: string,
    more?: Readonly<Record<string, string>>,
  ): Promise<Answered>;
  /** Status of `GET /api/v4/user` with an access token. */
  userStatus(access: string): Promise<number>;
  /** Adds an account with the password of this file. */
  withPassword(username: string): Promise<number>;
}

export interface CodeOptions {
  readonly userId?: number;
  readonly scopes?: readonly string[];
  readonly codeChallenge?: string | null;
  readonly nonce?: string | null;
}

/** A service with applications and accounts, and shortcuts to its OAuth endpoints. */
export async function startIssuer(): Promise<Issuer> {
  const provider = await startProvider();
  const answered = async (response: Response): Promise<Answered> => {
    const text = await response.text();
    const json = response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      text,
      body: json ? (JSON.parse(text) as Record<string, unknown>) : {},
      headers: response.headers,
    };
  };
  const issuer: Issuer = {
    ...provider,
    post: async (path, form, headers = {}) =>
      answered(await fetch(provider.url + path, { method: 'POST', body: new URLSearchParams(form), headers })),
    tokenRequest: (form, headers = {}) => issuer.post('/oauth/token', form, headers),
    get: async (path, headers = {}) => answered(await fetch(provider.url + path, { headers })),
    code: ({ application }, options = {}) =>
      provider.services.oauth.issueCode({
        application,
        userId: options.userId ?? provider.ids.alice,
        scopes: options.scopes ?? ['read_user', 'read_api'],
        redirectUri: callback,
        codeChallenge: options.codeChallenge ?? null,
        nonce: options.nonce ?? null,
        signedInAt: Date.now() - 60_000,
      }),
    exchange: ({ application, secret }, code, more = {}) => ({
      grant_type: 'authorization_code',
      client_id: application.clientId,
      ...(secret === null ? {} : { client_secret: secret }),
      code,
      redirect_uri: callback,
      ...more,
    }),
    pair: async (registered, options = {}) =>
      pairOf(await issuer.tokenRequest(issuer.exchange(registered, await issuer.code(registered, options)))),
    refresh: ({ application, secret }, refresh, more = {}) =>
      issuer.tokenRequest({
        grant_type: 'refresh_token',
        client_id: application.clientId,
        ...(secret === null ? {} : { client_secret: secret }),
        refresh_token: refresh,
        ...more,
      }),
    userStatus: async (access) => (await issuer.get('/api/v4/user', { authorization: `Bearer ${access}` })).status,
    withPassword: async (username) => (await addUser(provider.services, username, { password })).id,
  };
  return issuer;
}

/** Both tokens of a token response. */
export function pairOf({ status, text, body }: Answered): Pair {
  const { access_token: access, refresh_token: refresh } = body;
  if (typeof access !== 'string' || typeof refresh !== 'string') throw new Error(`no pair: ${status} ${text}`);
  return { access, refresh };
}

/** Status and error of a response, and the expected ones for an invalid code or token. */
export function refusal({ status, body }: Answered): unknown {
  return [status, body['error']];
}
export const invalidGrant = [400, 'invalid_grant'];

/** Members of a token response, in the order of the API's description. */
export const tokenMembers = ['access_token', 'token_type', 'expires_in', 'refresh_token', 'scope', 'created_at'];

/** An HTTP Basic header by RFC 6749 section 2.3.1. */
export function basic(id: string, secret: string): { authorization: string } {
  return { authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}` };
}
