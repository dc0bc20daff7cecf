import type { ManagedUserSort } from '../../contract/account-security.ts';
import type { Total } from '../../database/totals.ts';

export interface UserRow {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string | null;
  readonly password_hash: string | null;
  readonly is_admin: 0 | 1;
  readonly state: 'active' | 'blocked';
  /** Milliseconds since 1970. */
  readonly created_at: number;
  /**
   * Wrong passwords and codes within an hour, from places in which the user had not signed in
   * before.
   */
  readonly failed_sign_ins: number;
  /** Lock for such places, until this time in milliseconds since 1970. */
  readonly locked_until: number | null;
  readonly password_changed_at: number | null;
  /** The sign-in before the current one. */
  readonly last_sign_in_at: number | null;
  readonly current_sign_in_at: number | null;
}

export interface UserFilter {
  /** Part of the user name, the full name or the e-mail address. */
  readonly search: string;
  readonly state: UserRow['state'] | null;
}

export interface UserOrder {
  readonly sort: ManagedUserSort;
  readonly order: 'asc' | 'desc';
}

export interface UserPages {
  /**
   * One page of all accounts with the total count. Equal keys are sorted by user name, in the same
   * direction.
   */
  page(
    filter: UserFilter,
    order: UserOrder,
    limit: number,
    offset: number,
  ): Promise<{ readonly rows: readonly UserRow[]; readonly total: Total }>;
}
