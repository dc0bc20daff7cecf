import type { FastifyRequest } from 'fastify';
import { HttpProblem } from '../common/problem.ts';
import type { Scope } from '../contract/scopes.ts';
import type { Principal } from './principal.ts';

export interface Authentication {
  /** Whoever asks, without demanding a credential; a credential that does not hold is still refused. */
  optional: (request: FastifyRequest) => Promise<void>;
  /** An onRequest hook: 401 without a credential, 403 when its scopes do not reach. */
  require(...anyOf: readonly Scope[]): (request: FastifyRequest) => Promise<void>;
  /** The same for administrators. */
  requireAdmin(...anyOf: readonly Scope[]): (request: FastifyRequest) => Promise<void>;
  /** An onRequest hook for routes of the owner at the machine: 404 for everybody else. */
  requireWindow: (request: FastifyRequest) => Promise<void>;
  isWindow: (request: FastifyRequest) => boolean;
  /** Whose token this is, when that is at hand and its scopes reach; null for whatever has to be looked into. Takes note of the use. */
  peek: (token: string, address: string | undefined, anyOf: readonly Scope[]) => Principal | null;
}

/**
 * The token in the query, where the route allows it: on API routes; a measurement's address must stay fit for logs
 * and bookmarks.
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

/** The principal of a route that demanded one. */
export function principalOf(request: FastifyRequest): Principal {
  if (!request.principal) throw new Error('the route does not require a credential');
  return request.principal;
}
