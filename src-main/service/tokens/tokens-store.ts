import type Database from 'better-sqlite3';
import { foldedKey } from '../database/text-search.ts';
import type { Total } from '../database/totals.ts';
import { addressesAfter } from './token-addresses.ts';
import { tokenColumns, tokenList } from './token-list-store.ts';

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

/** The columns for a credential check, in one row. */
export interface TokenWithUser {
  readonly id: number;
  readonly scopes: string;
  readonly expires_at: number | null;
  readonly user_id: number;
  readonly username: string;
  readonly is_admin: 0 | 1;
}

export interface NewTokenRow {
  readonly userId: number;
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly string[];
  readonly tokenHash: Buffer;
  readonly expiresAt: number | null;
}

export interface TokenUse {
  readonly tokenId: number;
  readonly at: number;
  readonly address: string | null;
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

export interface TokensStore {
  create(token: NewTokenRow): Promise<TokenRow>;
  /**
   * Ends a token and creates its replacement, of the same family.
   *
   * @returns null when it was revoked already.
   */
  rotate(id: number, next: { readonly tokenHash: Buffer; readonly expiresAt: number }): Promise<TokenRow | null>;
  /** The token of an active user, if it is neither revoked nor expired. */
  usable(tokenHash: Buffer, now: number): Promise<TokenWithUser | null>;
  byId(id: number): Promise<TokenRow | null>;
  /** In any state. */
  byHash(tokenHash: Buffer): Promise<TokenRow | null>;
  ofUser(userId: number): Promise<readonly TokenRow[]>;
  all(): Promise<readonly TokenRow[]>;
  /** One page of the matching tokens, and their number. */
  list(
    filter: TokenFilter,
    sort: TokenSort,
    limit: number,
    offset: number,
  ): Promise<{ readonly rows: readonly TokenRow[]; readonly total: Total }>;
  /** @returns whether it existed and was not revoked before. */
  revoke(id: number): Promise<boolean>;
  /**
   * Revokes the remaining tokens of a family.
   *
   * @returns their number.
   */
  revokeFamily(familyId: number): Promise<number>;
  recordUse(uses: readonly TokenUse[]): Promise<void>;
}

/** Personal access tokens in SQLite; only the SHA-256 of a token is stored. */
export function tokensStore(database: Database.Database): TokensStore {
  const insert = database.prepare<
    [number, string, string, string, string, Buffer, number, number | null, number | null],
    TokenRow
  >(
    `INSERT INTO personal_access_tokens (user_id, name, name_key, description, scopes, token_hash, created_at, expires_at, family_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${tokenColumns}`,
  );
  // A family has the id of its first token, which is known only after the insert.
  const foundFamily = database.prepare<[number]>('UPDATE personal_access_tokens SET family_id = id WHERE id = ?');
  const create = database.transaction((token: NewTokenRow) => {
    const row = insert.get(
      token.userId,
      token.name,
      foldedKey(token.name),
      token.description,
      token.scopes.join(' '),
      token.tokenHash,
      Date.now(),
      token.expiresAt,
      null,
    );
    if (!row) throw new Error('INSERT ... RETURNING gave no row');
    foundFamily.run(row.id);
    return row;
  });
  const endByRotation = database.prepare<{ id: number; now: number }, TokenRow>(
    `UPDATE personal_access_tokens SET revoked_at = @now, rotated_at = @now WHERE id = @id AND revoked_at IS NULL RETURNING ${tokenColumns}`,
  );
  const rotate = database.transaction((id: number, tokenHash: Buffer, expiresAt: number) => {
    const now = Date.now();
    const old = endByRotation.get({ id, now });
    if (!old) return null;
    return (
      insert.get(
        old.user_id,
        old.name,
        foldedKey(old.name),
        old.description,
        old.scopes,
        tokenHash,
        now,
        expiresAt,
        old.family_id,
      ) ?? null
    );
  });
  const usable = database.prepare<[Buffer, number], TokenWithUser>(
    `SELECT token.id, token.scopes, token.expires_at, user_id, username, is_admin
     FROM personal_access_tokens AS token JOIN users ON users.id = user_id AND users.state = 'active'
     WHERE token_hash = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
  );
  const byId = database.prepare<[number], TokenRow>(`SELECT ${tokenColumns} FROM personal_access_tokens WHERE id = ?`);
  const byHash = database.prepare<[Buffer], TokenRow>(
    `SELECT ${tokenColumns} FROM personal_access_tokens WHERE token_hash = ?`,
  );
  const ofUser = database.prepare<[number], TokenRow>(
    `SELECT ${tokenColumns} FROM personal_access_tokens WHERE user_id = ? ORDER BY id DESC`,
  );
  const all = database.prepare<[], TokenRow>(`SELECT ${tokenColumns} FROM personal_access_tokens ORDER BY id DESC`);
  const revoke = database.prepare<[number, number]>(
    'UPDATE personal_access_tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  );
  const revokeFamily = database.prepare<[number, number]>(
    'UPDATE personal_access_tokens SET revoked_at = ? WHERE family_id = ? AND revoked_at IS NULL',
  );
  const addresses = database
    .prepare<[number], string | null>('SELECT last_used_address FROM personal_access_tokens WHERE id = ?')
    .pluck();
  const use = database.prepare<[number, string | null, number]>(
    'UPDATE personal_access_tokens SET last_used_at = ?, last_used_address = ? WHERE id = ?',
  );
  const useAll = database.transaction((uses: readonly TokenUse[]) => {
    for (const one of uses)
      use.run(one.at, addressesAfter(addresses.get(one.tokenId) ?? null, one.address), one.tokenId);
  });
  return {
    create: async (token) => create.immediate(token),
    rotate: async (id, next) => rotate.immediate(id, next.tokenHash, next.expiresAt),
    usable: async (tokenHash, now) => usable.get(tokenHash, now) ?? null,
    byId: async (id) => byId.get(id) ?? null,
    byHash: async (tokenHash) => byHash.get(tokenHash) ?? null,
    ofUser: async (userId) => ofUser.all(userId),
    all: async () => all.all(),
    list: tokenList(database),
    revoke: async (id) => revoke.run(Date.now(), id).changes > 0,
    revokeFamily: async (familyId) => revokeFamily.run(Date.now(), familyId).changes,
    recordUse: async (uses) => useAll(uses),
  };
}
