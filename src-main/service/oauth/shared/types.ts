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

/** What a user has approved, as the authorization endpoint hands it over to become a code or, for the implicit grant, a token. */
export interface Approval {
  readonly application: Application;
  readonly userId: number;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  readonly codeChallenge: string | null;
  readonly nonce: string | null;
  /** When the user signed in, milliseconds since 1970 (OpenID Connect's auth_time). */
  readonly signedInAt: number;
}

/** A token as it is handed out once. Times in seconds. */
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
  /** How long a used refresh token works once more, unless the new access token was used. */
  refreshGrace: 60_000,
  deviceCode: 300_000,
} as const;
