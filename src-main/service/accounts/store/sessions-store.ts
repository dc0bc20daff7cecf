import type Database from 'better-sqlite3';

export interface SessionRow {
  readonly id: number;
  readonly user_id: number;
  readonly created_at: number;
  readonly expires_at: number;
  readonly last_used_at: number;
  readonly address: string | null;
  readonly user_agent: string | null;
  /** Time of the last authentication in this session, in milliseconds since 1970. */
  readonly confirmed_at: number;
  /**
   * Time of the last verified second factor in this session, in milliseconds since 1970; null
   * without one.
   */
  readonly factor_at: number | null;
}

export interface NewSession {
  readonly userId: number;
  readonly tokenHash: Buffer;
  readonly expiresAt: number;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly secondFactor: boolean;
}

export interface SessionsStore {
  create(session: NewSession): Promise<void>;
  /** The unexpired session of an active user. */
  byHash(tokenHash: Buffer, now: number): Promise<SessionRow | null>;
  ofUser(userId: number, now: number): Promise<readonly SessionRow[]>;
  touch(id: number, now: number): Promise<void>;
  confirm(id: number, now: number): Promise<void>;
  confirmFactor(id: number, now: number): Promise<void>;
  renew(id: number, tokenHash: Buffer, now: number): Promise<void>;
  remove(tokenHash: Buffer): Promise<void>;
  /** @returns false when the user has no such session. */
  removeOne(userId: number, id: number): Promise<boolean>;
  /** Removes all sessions of a user except the one with the id `except`. */
  removeOfUser(userId: number, except: number | null): Promise<void>;
  removeExpired(now: number): Promise<void>;
}

/** Browser sessions in SQLite; only the SHA-256 of the cookie is stored. */
export function sessionsStore(database: Database.Database): SessionsStore {
  const insert = database.prepare(
    'INSERT INTO sessions (user_id, token_hash, created_at, expires_at, last_used_at, address, user_agent, confirmed_at, factor_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const byHash = database.prepare<[Buffer, number], SessionRow>(
    `SELECT sessions.* FROM sessions JOIN users ON users.id = user_id AND users.state = 'active' WHERE token_hash = ? AND expires_at > ?`,
  );
  const touch = database.prepare<[number, number]>('UPDATE sessions SET last_used_at = ? WHERE id = ?');
  const ofUser = database.prepare<[number, number], SessionRow>(
    'SELECT * FROM sessions WHERE user_id = ? AND expires_at > ? ORDER BY last_used_at DESC, id DESC',
  );
  const confirm = database.prepare<[number, number]>('UPDATE sessions SET confirmed_at = ? WHERE id = ?');
  const confirmFactor = database.prepare<[number, number]>('UPDATE sessions SET factor_at = ? WHERE id = ?');
  const renew = database.prepare<[Buffer, number, number]>(
    'UPDATE sessions SET token_hash = ?, confirmed_at = ? WHERE id = ?',
  );
  const remove = database.prepare<[Buffer]>('DELETE FROM sessions WHERE token_hash = ?');
  const removeOne = database.prepare<[number, number]>('DELETE FROM sessions WHERE id = ? AND user_id = ?');
  const removeOfUser = database.prepare<[number, number]>('DELETE FROM sessions WHERE user_id = ? AND id <> ?');
  const removeExpired = database.prepare<[number]>('DELETE FROM sessions WHERE expires_at <= ?');
  return {
    create: async (session) => {
      const now = Date.now();
      const { userId, tokenHash, expiresAt, address, userAgent, secondFactor } = session;
      insert.run(userId, tokenHash, now, expiresAt, now, address, userAgent, now, secondFactor ? now : null);
    },
    byHash: async (tokenHash, now) => byHash.get(tokenHash, now) ?? null,
    touch: async (id, now) => void touch.run(now, id),
    ofUser: async (userId, now) => ofUser.all(userId, now),
    confirm: async (id, now) => void confirm.run(now, id),
    confirmFactor: async (id, now) => void confirmFactor.run(now, id),
    renew: async (id, tokenHash, now) => void renew.run(tokenHash, now, id),
    remove: async (tokenHash) => void remove.run(tokenHash),
    removeOne: async (userId, id) => removeOne.run(id, userId).changes > 0,
    removeOfUser: async (userId, except) => void removeOfUser.run(userId, except ?? 0),
    removeExpired: async (now) => void removeExpired.run(now),
  };
}
