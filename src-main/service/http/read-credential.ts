import type { IncomingMessage } from 'node:http';
import { HttpProblem } from '../common/problem.ts';
import { timesSent } from './semantics/times-sent.ts';

const bearer = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
const doubled = 'Send one credential: one Authorization header, or one PRIVATE-TOKEN header, not several.';

/**
 * The token of a request, from one of four places: `Authorization: Bearer` (RFC 6750 section 2.1;
 * the scheme without regard to case, RFC 9110 section 11.1), `PRIVATE-TOKEN`, and `access_token` in
 * the query or in a form where the route permits it.
 *
 * @returns null without a token.
 * @throws HttpProblem 400 for two credentials, 401 for one that is not a bearer token.
 */
export function readCredential(
  request: IncomingMessage,
  queryToken: string | undefined,
  formToken?: string,
): string | null {
  const authorization = single(request, 'authorization');
  const privateToken = single(request, 'private-token');
  const found = [authorization, privateToken, queryToken, formToken].filter((value) => value !== undefined);
  if (found.length > 1) throw new HttpProblem(400, doubled, { error: 'invalid_request' });
  if (authorization !== undefined) {
    const token = bearerToken(authorization);
    if (token === null) throw invalidToken('The Authorization header must be Bearer and a token.');
    return token;
  }
  return privateToken ?? queryToken ?? formToken ?? null;
}

/** A user name and a token, as programs without bearer tokens send them. */
export interface BasicCredential {
  readonly username: string;
  readonly token: string;
}

/**
 * The credential of `Authorization: Basic` (RFC 7617) in UTF-8, where the password is a token.
 *
 * @returns null for a request without that scheme.
 * @throws HttpProblem 400 beside another credential, 401 where it is not a name and a token.
 */
export function readBasicCredential(request: IncomingMessage): BasicCredential | null {
  const authorization = single(request, 'authorization');
  if (authorization === undefined || !/^basic +/i.test(authorization)) return null;
  if (single(request, 'private-token') !== undefined) throw new HttpProblem(400, doubled, { error: 'invalid_request' });
  const text = Buffer.from(authorization.slice(6).trim(), 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || !bearer.test(`bearer ${text.slice(colon + 1)}`))
    throw invalidToken('The Authorization header must be Basic with a user name and, as the password, a token.');
  return { username: text.slice(0, colon), token: text.slice(colon + 1) };
}

/** The token of an Authorization header; null where that is not Bearer and a token. */
export function bearerToken(authorization: string): string | null {
  return bearer.exec(authorization)?.[1] ?? null;
}

// RFC 6750 section 2: one method, once.
function single(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  if (value === undefined) return undefined;
  if (timesSent(request, name) > 1 || Array.isArray(value))
    throw new HttpProblem(400, doubled, { error: 'invalid_request' });
  return value.trim();
}

/** 401 for a credential that is not valid (RFC 6750 section 3.1). */
export function invalidToken(detail: string): HttpProblem {
  return new HttpProblem(401, detail, {
    error: 'invalid_token',
    headers: { 'www-authenticate': 'Bearer realm="Benchport", error="invalid_token"' },
  });
}

/** 401 for a request without any credential: a plain challenge (RFC 6750 section 3). */
export function credentialNeeded(): HttpProblem {
  return new HttpProblem(401, 'Send a token: Authorization: Bearer <token>.', {
    headers: { 'www-authenticate': 'Bearer realm="Benchport"' },
  });
}
