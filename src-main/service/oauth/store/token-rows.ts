import type { Application } from '../shared/types.ts';

/** A code with the grant that it belongs to. */
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

/** A token, found by its refresh token, with its grant. */
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

/** A token, found by either of its halves, as revocation, introspection and token information need it. */
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

/** What a client presents with a code. */
export interface PresentedCode {
  readonly code: string;
  readonly application: Application;
  readonly redirectUri: string;
  readonly verifier: string | null;
  readonly address: string;
}

/** What a client presents with a refresh token; `scopes` is null when it asks for no narrower ones. */
export interface PresentedRefresh {
  readonly refreshToken: string;
  readonly application: Application;
  readonly scopes: readonly string[] | null;
  readonly address: string;
}
