/** A registered application: a client of RFC 6749. */
export interface Application {
  readonly id: number;
  readonly ownerId: number;
  readonly name: string;
  readonly clientId: string;
  /** SHA-256 of the secret; null for a public application. */
  readonly secretHash: Buffer | null;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly confidential: boolean;
  readonly trusted: boolean;
  readonly legacyImplicit: boolean;
  readonly deviceGrant: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/**
 * A user's approval, from which the authorization endpoint creates a code or, for the implicit
 * grant, a token.
 */
export interface Approval {
  readonly application: Application;
  readonly userId: number;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
  /** Time of the user's sign-in, in milliseconds since 1970 (`auth_time` of OpenID Connect). */
  readonly signedInAt: number;
}

/** A new token with its secrets, which cannot be read again. Times are in seconds. */
export interface IssuedToken {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresIn: number;
  readonly scopes: readonly string[];
  readonly createdAt: number;
}

/** Lifetimes in milliseconds. */
export const lifetimes = {
  code: 600_000,
  accessToken: 7_200_000,
  refreshIdle: 30 * 86_400_000,
  grant: 365 * 86_400_000,
  /** How long a used refresh token stays valid unless its new access token is used. */
  refreshGrace: 60_000,
  deviceCode: 300_000,
} as const;
