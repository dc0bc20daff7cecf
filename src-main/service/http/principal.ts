import type { Scope } from '../contract/scopes.ts';
import { HttpProblem } from '../common/problem.ts';

/** The user of a request, the credential, and its scopes. */
export interface Principal {
  readonly userId: number;
  readonly username: string;
  readonly isAdmin: boolean;
  readonly kind: 'token' | 'oauth' | 'session' | 'window';
  /** The personal access token's id, for the audit trail. */
  readonly tokenId: number | null;
  /** The OAuth access token; its application is null for a password grant without one. */
  readonly oauth: { readonly tokenId: number; readonly grantId: number; readonly applicationId: number | null } | null;
  readonly scopes: ReadonlySet<Scope>;
  /**
   * Looks up whether the credential is still valid and as powerful as it was: expiry, revocation, a
   * blocked user or lost administrator rights. Cheap enough for once a second.
   */
  readonly stillValid: () => Promise<boolean>;
}

/**
 * Whether a credential, as it is found now, still has the power that it had for an administrator or
 * for another user.
 */
export function reachesStill(asAdmin: boolean, now: Pick<Principal, 'isAdmin'> | null | undefined): boolean {
  return now !== null && now !== undefined && (now.isAdmin || !asAdmin);
}

/** The acting user and the address, for the audit trail. */
export interface Actor {
  readonly userId: number | null;
  readonly address: string | null;
  readonly applicationId?: number | null;
}

/** The actor of commands at the data directory itself. */
export const atTheMachine: Actor = { userId: null, address: null };

/** Whether a credential has one of these scopes. `api` includes every other API scope. */
export function hasScope(principal: Principal, anyOf: readonly Scope[]): boolean {
  return principal.scopes.has('api') || anyOf.some((scope) => principal.scopes.has(scope));
}

/**
 * 403 for a credential with insufficient scopes, naming those that would suffice (RFC 6750 section
 * 3.1).
 */
export function insufficientScope(anyOf: readonly Scope[]): HttpProblem {
  const needed = ['api', ...anyOf.filter((scope) => scope !== 'api')];
  const scope = needed.join(' ');
  return new HttpProblem(
    403,
    `This token lacks the scope for this. It needs ${needed.length > 1 ? 'one of ' : ''}${needed.join(', ')}.`,
    {
      error: 'insufficient_scope',
      scope,
      headers: { 'www-authenticate': `Bearer realm="Benchport", error="insufficient_scope", scope="${scope}"` },
    },
  );
}
