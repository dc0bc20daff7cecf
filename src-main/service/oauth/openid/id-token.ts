import { SignJWT } from 'jose';
import { hash } from 'node:crypto';
import { idTokenKey, type SigningKey } from '../../secrets/signing-key.ts';
import { lifetimes, type IssuedToken } from '../shared/types.ts';
import { userClaims } from './user-claims.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';

type Deps = Pick<AccountStores, 'users'> & {
  readonly signingKey: () => Promise<SigningKey>;
  readonly baseUrl: () => string;
};

export interface SignedIn {
  readonly clientId: string;
  readonly userId: number;
  readonly nonce: string | null;
  /** Milliseconds since 1970. */
  readonly signedInAt: number;
  readonly token: IssuedToken;
}

/**
 * Creates the id_token for an access token with the scope `openid` (OpenID Connect Core, sections 2
 * and 3.1.3.6); null without that scope.
 */
export async function idToken(deps: Deps, signedIn: SignedIn): Promise<string | null> {
  const { token } = signedIn;
  if (!token.scopes.includes('openid')) return null;
  const user = await deps.users.byId(signedIn.userId);
  if (!user) return null;
  const key = await deps.signingKey();
  const { sub: _sub, ...claims } = userClaims(user, new Set(token.scopes));
  return new SignJWT({
    ...claims,
    auth_time: Math.floor(signedIn.signedInAt / 1000),
    at_hash: leftHalf(token.accessToken),
    ...(signedIn.nonce === null ? {} : { nonce: signedIn.nonce }),
  })
    .setProtectedHeader({ alg: idTokenKey.algorithm, kid: key.kid, typ: 'JWT' })
    .setIssuer(deps.baseUrl())
    .setSubject(String(user.id))
    .setAudience(signedIn.clientId)
    .setIssuedAt(token.createdAt)
    .setExpirationTime(token.createdAt + lifetimes.accessToken / 1000)
    .sign(key.privateKey);
}

/** `at_hash`: the left half of the access token's SHA-256 (OpenID Connect Core section 3.1.3.6). */
function leftHalf(accessToken: string): string {
  return hash('sha256', accessToken, 'buffer').subarray(0, 16).toString('base64url');
}
