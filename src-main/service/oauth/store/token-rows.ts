import type { Application } from '../shared/types.ts';

/** A code joined with its grant. */
export interface CodeRow {
  readonly grant_id: number;
  readonly application_id: number | null;
  readonly user_id: number;
  readonly scopes: string;
  readonly redirect_uri: string;
  readonly code_challenge: string | null;
  readonly nonce: string | null;
  readonly signed_in_at: number;
  readonly expires_at: number;
  readonly used_at: number | null;
  readonly grant_expires_at: number;
  readonly grant_revoked_at: number | null;
  readonly user_state: 'active' | 'blocked';
}

/** A token joined with its grant, looked up by refresh token. */
export interface RefreshRow {
  readonly id: number;
  readonly grant_id: number;
  readonly application_id: number | null;
  readonly user_id: number;
  readonly scopes: string;
  readonly previous_id: number | null;
  readonly refresh_expires_at: number;
  readonly first_used_at: number | null;
  readonly refreshed_at: number | null;
  readonly revoked_at: number | null;
  readonly grant_expires_at: number;
  readonly grant_revoked_at: number | null;
  readonly user_state: 'active' | 'blocked';
}

/** A token looked up by either half, for revocation, introspection and token information. */
export interface TokenFacts {
  readonly id: number;
  readonly grant_id: number;
  readonly application_id: number | null;
  /** Null for the password grant without a registered application. */
  readonly client_id: string | null;
  readonly user_id: number;
  readonly username: string;
  readonly is_admin: 0 | 1;
  readonly scopes: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly refresh_expires_at: number | null;
  readonly previous_id: number | null;
  readonly first_used_at: number | null;
  readonly refreshed_at: number | null;
}

/** Parameters of a code exchange. */
export interface PresentedCode {
  readonly code: string;
  readonly application: Application;
  readonly redirectUri: string;
  readonly verifier: string | null;
  readonly address: string;
}

/** Parameters of a refresh; `scopes` is null when the client does not narrow them. */
export interface PresentedRefresh {
  readonly refreshToken: string;
  readonly application: Application;
  readonly scopes: readonly string[] | null;
  readonly address: string;
}
