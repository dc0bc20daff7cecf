import { membersOf, type Answer, type Question } from './answer.ts';

export interface Client {
  readonly clientId: string;
  /** Empty for a public application. */
  readonly secret: string;
  readonly redirectUri: string;
}

export type ClientName = 'web' | 'other' | 'narrow' | 'program' | 'fresh' | 'query';

/** The initial state of both providers: alice, bob with two factors, and these applications. */
export const applications: Readonly<
  Record<
    ClientName,
    { readonly redirectUri: string; readonly scopes: readonly string[]; readonly confidential: boolean }
  >
> = {
  web: {
    redirectUri: 'https://app.example.com/callback',
    scopes: ['api', 'read_user', 'openid', 'profile', 'email'],
    confidential: true,
  },
  other: { redirectUri: 'https://other.example.com/callback', scopes: ['api', 'read_user'], confidential: true },
  narrow: { redirectUri: 'https://narrow.example.com/callback', scopes: ['read_user'], confidential: true },
  program: { redirectUri: 'http://127.0.0.1/callback', scopes: ['api', 'read_user'], confidential: false },
  // Not approved before a request of its own.
  fresh: { redirectUri: 'https://fresh.example.com/callback', scopes: ['api', 'read_user'], confidential: true },
  query: { redirectUri: 'https://query.example.com/callback?tenant=7', scopes: ['read_user'], confidential: true },
};

export const password = 'correct horse battery staple';

/** One of the two providers. */
export interface Side {
  readonly name: string;
  readonly url: string;
  readonly clients: Readonly<Record<ClientName, Client>>;
  send(question: Question): Promise<Answer>;
  /** Opens the authorization page as alice without submitting it. */
  open(query: Readonly<Record<string, string>> | string): Promise<Answer>;
  /** Opens it and approves or denies; a response without a form is returned as it is. */
  decide(decision: 'approve' | 'deny', query: Readonly<Record<string, string>>): Promise<Answer>;
  stop(): Promise<void>;
}

export interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

/** An authorization request of an application. */
export function wish(
  side: Side,
  name: ClientName,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const { clientId, redirectUri } = side.clients[name];
  return {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'read_user',
    state: 'xyz',
    ...more,
  };
}

/** A code that alice approved. */
export async function newCode(
  side: Side,
  name: ClientName,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await side.decide('approve', wish(side, name, more));
  const code = new URL(answer.headers.location ?? 'https://nowhere.example').searchParams.get('code');
  if (code === null)
    throw new Error(
      `${side.name} gave ${name} no code: ${answer.status} ${answer.headers.location ?? ''} ${answer.text.slice(0, 600)}`,
    );
  return code;
}

/** Client id and secret in the form. */
export function inForm(side: Side, name: ClientName): Record<string, string> {
  const { clientId, secret } = side.clients[name];
  return secret === '' ? { client_id: clientId } : { client_id: clientId, client_secret: secret };
}

export function inHeader(side: Side, name: ClientName): readonly [string, string] {
  return [side.clients[name].clientId, side.clients[name].secret];
}

/** The form that exchanges a code. */
export function exchange(
  side: Side,
  name: ClientName,
  code: string,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: side.clients[name].redirectUri,
    ...inForm(side, name),
    ...more,
  };
}

export const verifier = 'a-verifier-that-is-long-enough-for-rfc-7636-and-more';
// BASE64URL(SHA-256(verifier))
export const challenge = {
  code_challenge: '1DVUY_-NFJlUuK0Fs5PncKvKNSoFh3aWHJwWwyyxMD4',
  code_challenge_method: 'S256',
};

/** Tokens of alice for an application. */
export async function newTokens(side: Side, name: ClientName, scope = 'read_user'): Promise<Tokens> {
  const isPublic = side.clients[name].secret === '';
  const code = await newCode(side, name, { scope, ...(isPublic ? challenge : {}) });
  return tokensOf(
    side,
    await side.send({
      path: '/oauth/token',
      form: exchange(side, name, code, isPublic ? { code_verifier: verifier } : {}),
    }),
  );
}

export function tokensOf(side: Side, answer: Answer): Tokens {
  const { access_token: access, refresh_token: refresh } = membersOf(answer);
  if (typeof access !== 'string') throw new Error(`${side.name} gave no token: ${answer.status} ${answer.text}`);
  return { access, refresh: typeof refresh === 'string' ? refresh : '' };
}

/** Whether a token is valid. */
export function info(side: Side, token: string): Promise<Answer> {
  return side.send({ path: '/oauth/token/info', bearer: token });
}

export function refreshWith(
  side: Side,
  name: ClientName,
  token: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return side.send({
    path: '/oauth/token',
    form: { grant_type: 'refresh_token', refresh_token: token, ...inForm(side, name), ...more },
  });
}

export interface Case {
  readonly id: string;
  readonly what: string;
  run(side: Side): Promise<Answer>;
}
