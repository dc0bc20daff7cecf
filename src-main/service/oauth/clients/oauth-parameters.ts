import type { FastifyRequest } from 'fastify';
import { TokenQuestion, TokenRequest } from '../../contract/oauth.ts';
import type { HttpProblem } from '../../common/problem.ts';
import { applicationScopes } from '../applications/application-check.ts';
import { grantableScopes } from './authorize-scopes.ts';
import { oauthError } from '../shared/oauth-error.ts';
import type { Application } from '../shared/types.ts';

const ours: ReadonlySet<string> = new Set([
  ...Object.keys(TokenRequest.properties),
  ...Object.keys(TokenQuestion.properties),
]);

/** Parameters of a request by name; each has one value. */
export type Parameters = ReadonlyMap<string, string>;

/**
 * Reads the parameters of a token endpoint from a form or a JSON body. An empty parameter counts as
 * omitted; a repeated or structured one is refused (RFC 6749 section 3.2), and so is one in the
 * query, because addresses are logged (section 2.3.1). Other query parameters are ignored, because
 * the address of an endpoint may have a query of its own.
 *
 * @throws HttpProblem 400 invalid_request.
 */
export function readParameters(request: FastifyRequest): Parameters {
  if (Object.keys(request.query as object).some((name) => ours.has(name.split('[', 1)[0] ?? ''))) {
    throw oauthError('invalid_request', 'Send the parameters in the body, none in the address.');
  }
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw oauthError('invalid_request', 'Send the parameters as a form, or as JSON.');
  const parameters = new Map<string, string>();
  for (const [name, value] of Object.entries(body)) {
    if (value === null || value === '') continue;
    if (typeof value !== 'string' || name.includes('['))
      throw oauthError('invalid_request', 'Send each parameter once, as a text.');
    parameters.set(name, value);
  }
  return parameters;
}

/** @throws HttpProblem 400 invalid_request when the parameter is missing. */
export function required(parameters: Parameters, name: string): string {
  const value = parameters.get(name);
  if (value === undefined) throw oauthError('invalid_request', `The parameter ${name} is missing.`);
  return value;
}

/**
 * The requested scopes without duplicates; null when the request names none.
 *
 * @throws HttpProblem 400 invalid_scope when a scope does not exist or is not for applications.
 */
export function namedScopes(parameters: Parameters): readonly string[] | null {
  const named = [...new Set((parameters.get('scope') ?? '').split(' ').filter((scope) => scope !== ''))];
  if (named.length === 0) return null;
  if (!named.every((scope) => applicationScopes.includes(scope))) throw invalidScope();
  return named;
}

/**
 * The scopes to issue: those of the request, or the application's default.
 *
 * @throws HttpProblem 400 invalid_scope.
 */
export function scopesFor(parameters: Parameters, application: Application): readonly string[] {
  const scopes = grantableScopes(parameters.get('scope') ?? '', application);
  if (scopes === null) throw invalidScope();
  return scopes;
}

function invalidScope(): HttpProblem {
  return oauthError('invalid_scope', 'A scope is unknown, or not open to this client. Separate scopes by spaces.');
}
