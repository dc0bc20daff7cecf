import type { Total } from '../database/totals.ts';

export interface TokenRow {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  readonly description: string;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly created_at: number;
  /** The first millisecond in which it is no longer valid. */
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
  /** Up to five addresses that last used it, the newest first, separated by spaces. */
  readonly last_used_address: string | null;
  /**
   * The id of the first token of its family: a token and those that replace it by rotation belong
   * to one family.
   */
  readonly family_id: number;
  /** When another token replaced it. */
  readonly rotated_at: number | null;
}

/** Conditions of a list of tokens; all given ones must hold. Times are milliseconds since 1970. */
export interface TokenFilter {
  readonly userId?: number | undefined;
  /** Part of the name, without regard to case. */
  readonly search?: string | undefined;
  /** Whether they are active, and at which time. */
  readonly active?: { readonly is: boolean; readonly at: number } | undefined;
  readonly revoked?: boolean | undefined;
  readonly createdAfter?: number | undefined;
  readonly createdBefore?: number | undefined;
  readonly expiresAfter?: number | undefined;
  readonly expiresBefore?: number | undefined;
  readonly lastUsedAfter?: number | undefined;
  readonly lastUsedBefore?: number | undefined;
}

/** GitLab's orders of the list. */
export type TokenSort = `${'created' | 'expires' | 'last_used' | 'name'}_${'asc' | 'desc'}`;

export interface TokenLists {
  /** One page of the matching tokens, and their number. */
  list(
    filter: TokenFilter,
    sort: TokenSort,
    limit: number,
    offset: number,
  ): Promise<{ readonly rows: readonly TokenRow[]; readonly total: Total }>;
}
