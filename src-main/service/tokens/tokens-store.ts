import type Database from 'better-sqlite3';

export interface TokenRow {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  readonly description: string;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly created_at: number;
  /** The first millisecond in which it no longer works. */
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
  readonly last_used_address: string | null;
}

/** What a credential look-up needs, in one row. */
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

export interface TokensStore {
  create(token: NewTokenRow): Promise<TokenRow>;
  /** The token of an active user, if it is neither revoked nor expired. */
  usable(tokenHash: Buffer, now: number): Promise<TokenWithUser | null>;
  byId(id: number): Promise<TokenRow | null>;
  ofUser(userId: number): Promise<readonly TokenRow[]>;
  all(): Promise<readonly TokenRow[]>;
  /** @returns whether it was there and not revoked before. */
  revoke(id: number): Promise<boolean>;
  recordUse(uses: readonly TokenUse[]): Promise<void>;
}

const columns = 'id, user_id, name, description, scopes, created_at, expires_at, revoked_at, last_used_at, last_used_address';

/** Personal access tokens in SQLite; the token itself is known as its SHA-256 only. */
export function tokensStore(database: Database.Database): TokensStore {
  const insert = database.prepare<[number, string, string, string, Buffer, number, number | null], TokenRow>(
    `INSERT INTO personal_access_tokens (user_id, name, description, scopes, token_hash, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING ${columns}`,
  );
  const usable = database.prepare<[Buffer, number], TokenWithUser>(
    `SELECT token.id, token.scopes, token.expires_at, user_id, username, is_admin
     FROM personal_access_tokens AS token JOIN users ON users.id = user_id AND users.state = 'active'
     WHERE token_hash = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
  );
  const byId = database.prepare<[number], TokenRow>(`SELECT ${columns} FROM personal_access_tokens WHERE id = ?`);
  const ofUser = database.prepare<[number], TokenRow>(`SELECT ${columns} FROM personal_access_tokens WHERE user_id = ? ORDER BY id DESC`);
  const all = database.prepare<[], TokenRow>(`SELECT ${columns} FROM personal_access_tokens ORDER BY id DESC`);
  const revoke = database.prepare<[number, number]>('UPDATE personal_access_tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL');
  const use = database.prepare<[number, string | null, number]>('UPDATE personal_access_tokens SET last_used_at = ?, last_used_address = ? WHERE id = ?');
  const useAll = database.transaction((uses: readonly TokenUse[]) => {
    for (const one of uses) use.run(one.at, one.address, one.tokenId);
  });
  return {
    create: async (token) => {
      const row = insert.get(token.userId, token.name, token.description, token.scopes.join(' '), token.tokenHash, Date.now(), token.expiresAt);
      if (!row) throw new Error('INSERT ... RETURNING gave no row');
      return row;
    },
    usable: async (tokenHash, now) => usable.get(tokenHash, now) ?? null,
    byId: async (id) => byId.get(id) ?? null,
    ofUser: async (userId) => ofUser.all(userId),
    all: async () => all.all(),
    revoke: async (id) => revoke.run(Date.now(), id).changes > 0,
    recordUse: async (uses) => useAll(uses),
  };
}
