import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ownerAccount, windowPrincipal } from '../accounts/store/owner.ts';
import type { Sessions } from '../accounts/store/sessions.ts';
import type { UsersStore } from '../accounts/store/users-store.ts';
import type { Scope } from '../contract/scopes.ts';
import type { SettingsStore } from '../database/settings-store.ts';
import { requireApplicationRight } from '../http/application-rights.ts';
import { hasScope, insufficientScope, type Principal } from '../http/principal.ts';
import { credentialNeeded, invalidToken, readBasicCredential, readCredential } from '../http/read-credential.ts';
import type { TokenResolver } from './token-resolver.ts';
import type { TokenUses } from './token-uses.ts';
import { needingCredential } from '../http/server/body-limits.ts';
import { queryToken, type Authentication } from '../http/authentication.ts';
import { csrfHolds } from '../http/csrf.ts';
import { HttpProblem } from '../common/problem.ts';
import { readSessionCookie } from '../http/session-cookie.ts';

export interface AuthenticationDeps {
  readonly tokens: TokenResolver;
  readonly uses: TokenUses;
  readonly sessions: Sessions;
  readonly users: UsersStore;
  readonly settings: SettingsStore;
  /** The secret of this launch, shared with the window's process; null without a private socket. */
  readonly launchSecret: Buffer | null;
  readonly csrfKey: Buffer;
  readonly baseUrl: () => string;
}

/**
 * Identifies the user of a request by any of its credentials: token, launch secret, or session
 * cookie.
 */
export function authentication(deps: AuthenticationDeps): Authentication {
  function isWindow(request: FastifyRequest): boolean {
    const sent = request.headers['x-benchport-launch-secret'];
    if (request.raw.viaPrivateSocket !== true || deps.launchSecret === null || typeof sent !== 'string') return false;
    const bytes = Buffer.from(sent);
    return bytes.length === deps.launchSecret.length && timingSafeEqual(bytes, deps.launchSecret);
  }

  async function identify(request: FastifyRequest): Promise<Principal | null> {
    const basic = request.routeOptions.config.basic === true ? readBasicCredential(request.raw) : null;
    const token = basic?.token ?? readCredential(request.raw, queryToken(request), formToken(request));
    if (token !== null) {
      const principal = await deps.tokens.resolve(token, request.ip);
      if (!principal || (basic && !isSameName(basic.username, principal.username)))
        throw invalidToken(
          'This token is unknown, expired or revoked. Create a new one, or ask the owner of the server.',
        );
      if (principal.tokenId !== null) deps.uses.note(principal.tokenId, request.ip);
      return principal;
    }
    if (isWindow(request)) {
      const owner = await ownerAccount(deps.settings, deps.users);
      return owner && windowPrincipal(owner);
    }
    const cookie = readSessionCookie(request, deps.baseUrl());
    const principal = cookie === undefined ? null : await deps.sessions.resolve(cookie);
    if (principal && cookie !== undefined && !csrfHolds(request, cookie, deps.csrfKey)) {
      throw new HttpProblem(403, 'The X-CSRF-Token header is missing or old. Load the page again.', { type: 'csrf' });
    }
    return principal;
  }

  async function demand(request: FastifyRequest, anyOf: readonly Scope[]): Promise<Principal> {
    request.principal = await identify(request);
    if (!request.principal) throw credentialNeeded();
    if (!hasScope(request.principal, anyOf)) throw insufficientScope(anyOf);
    const { url = '', config } = request.routeOptions;
    requireApplicationRight(request.principal, { method: request.method, url, reads: config.reads === true });
    return request.principal;
  }

  return {
    optional: async (request) => {
      request.principal = await identify(request);
    },
    require: (...anyOf) =>
      needingCredential(async (request) => {
        await demand(request, anyOf);
      }),
    requireAdmin: (...anyOf) =>
      needingCredential(async (request) => {
        const principal = await demand(request, anyOf);
        if (!principal.isAdmin) throw new HttpProblem(403, 'Only an administrator may do this.');
      }),
    requireWindow: needingCredential(async (request) => {
      if (!isWindow(request)) throw new HttpProblem(404, 'There is nothing at this address.');
      await demand(request, ['api']);
    }),
    isWindow,
    peek: (token, address, anyOf) => {
      const principal = deps.tokens.peek(token);
      if (!principal || !hasScope(principal, anyOf)) return null;
      if (principal.tokenId !== null) deps.uses.note(principal.tokenId, address ?? null);
      return principal;
    },
  };
}

// Names of users are unique without regard to case.
function isSameName(sent: string, username: string): boolean {
  return sent.toLowerCase() === username.toLowerCase();
}

/**
 * The token in a form body, where the route allows it. Any other type of body has none (RFC 6750
 * section 2.2).
 *
 * @throws HttpProblem 400 for several.
 */
function formToken(request: FastifyRequest): string | undefined {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (request.routeOptions.config.formToken !== true || type !== 'application/x-www-form-urlencoded') return undefined;
  const sent = (request.body as Readonly<Record<string, unknown>> | null | undefined)?.['access_token'];
  if (Array.isArray(sent))
    throw new HttpProblem(400, 'Send one access_token, not several.', { error: 'invalid_request' });
  return typeof sent === 'string' ? sent : undefined;
}
