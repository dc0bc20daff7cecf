import type { FastifyRequest } from 'fastify';
import { HttpProblem } from '../common/problem.ts';
import type { Scope } from '../contract/scopes.ts';
import type { Principal } from './principal.ts';

export interface Authentication {
  /**
   * Identifies the user without demanding a credential; a credential that is not valid is still
   * refused.
   */
  optional: (request: FastifyRequest) => Promise<void>;
  /** Makes an onRequest hook: 401 without a credential, 403 when its scopes are insufficient. */
  require(...anyOf: readonly Scope[]): (request: FastifyRequest) => Promise<void>;
  /** Makes an onRequest hook like `require` that also refuses users who are not administrators. */
  requireAdmin(...anyOf: readonly Scope[]): (request: FastifyRequest) => Promise<void>;
  /** An onRequest hook for routes of the owner at the machine: 404 for all other requests. */
  requireWindow: (request: FastifyRequest) => Promise<void>;
  isWindow: (request: FastifyRequest) => boolean;
  /**
   * The principal of a token from the cache alone, when its scopes suffice; null when a look-up
   * would be needed. Records the use of the token.
   */
  peek: (token: string, address: string | undefined, anyOf: readonly Scope[]) => Principal | null;
}

/**
 * The token in the query, on routes that allow it: those of the API. The address of a measurement
 * must stay free of secrets, for logs and bookmarks.
 *
 * @throws HttpProblem 400 for several.
 */
export function queryToken(request: FastifyRequest): string | undefined {
  const route = request.routeOptions;
  if (!(route.config.queryToken ?? route.url?.startsWith('/api/v4/') ?? false)) return undefined;
  const sent = (request.query as Record<string, unknown> | undefined)?.['access_token'];
  if (Array.isArray(sent))
    throw new HttpProblem(400, 'Send one access_token, not several.', { error: 'invalid_request' });
  return typeof sent === 'string' ? sent : undefined;
}

/** The principal of a request on a route that requires a credential. */
export function principalOf(request: FastifyRequest): Principal {
  if (!request.principal) throw new Error('the route does not require a credential');
  return request.principal;
}
