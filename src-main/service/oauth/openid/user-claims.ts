import type { UserRow } from '../../accounts/store/user-rows.ts';
import type { Scope } from '../../contract/scopes.ts';

/**
 * Claims of the scope `openid`, and of `profile` and `email` (OpenID Connect Core, section 5.4);
 * wider scopes include both.
 */
export interface UserClaims {
  readonly sub: string;
  readonly nickname: string;
  readonly preferred_username: string;
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
}

const wide: readonly Scope[] = ['api', 'read_api', 'read_user'];

/** The claims about a user that a token with the given scopes may read. */
export function userClaims(user: UserRow, scopes: ReadonlySet<string>): UserClaims {
  const reaches = (scope: Scope) => scopes.has(scope) || wide.some((one) => scopes.has(one));
  return {
    sub: String(user.id),
    nickname: user.username,
    preferred_username: user.username,
    ...(reaches('profile') ? { name: user.name } : {}),
    // Administrators enter the addresses, not the users themselves, so they count as verified.
    ...(reaches('email') && user.email !== null ? { email: user.email, email_verified: true } : {}),
  };
}
