import type { Database } from '../../database/port/database.ts';
import { read, write } from '../../database/port/query.ts';

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

const insert = write<[number, Buffer, number, number, number, string | null, string | null, number, number | null]>(
  'INSERT INTO sessions (user_id, token_hash, created_at, expires_at, last_used_at, address, user_agent, confirmed_at, factor_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
);
const byHash = read<[Buffer, number], SessionRow>(
  `SELECT sessions.* FROM sessions JOIN users ON users.id = user_id AND users.state = 'active' WHERE token_hash = ? AND expires_at > ?`,
);
const touch = write<[number, number]>('UPDATE sessions SET last_used_at = ? WHERE id = ?');
const ofUser = read<[number, number], SessionRow>(
  'SELECT * FROM sessions WHERE user_id = ? AND expires_at > ? ORDER BY last_used_at DESC, id DESC',
);
const confirm = write<[number, number]>('UPDATE sessions SET confirmed_at = ? WHERE id = ?');
const confirmFactor = write<[number, number]>('UPDATE sessions SET factor_at = ? WHERE id = ?');
const renew = write<[Buffer, number, number]>('UPDATE sessions SET token_hash = ?, confirmed_at = ? WHERE id = ?');
const remove = write<[Buffer]>('DELETE FROM sessions WHERE token_hash = ?');
const removeOne = write<[number, number]>('DELETE FROM sessions WHERE id = ? AND user_id = ?');
const removeOfUser = write<[number, number]>('DELETE FROM sessions WHERE user_id = ? AND id <> ?');
const removeExpired = write<[number]>('DELETE FROM sessions WHERE expires_at <= ?');

/** Browser sessions; only the SHA-256 of the cookie is stored. */
export function sessionsStore(database: Database): SessionsStore {
  return {
    create: async (session) => {
      const now = Date.now();
      const { userId, tokenHash, expiresAt, address, userAgent, secondFactor } = session;
      const factorAt = secondFactor ? now : null;
      await database.run(insert, userId, tokenHash, now, expiresAt, now, address, userAgent, now, factorAt);
    },
    byHash: async (tokenHash, now) => database.one(byHash, tokenHash, now),
    touch: async (id, now) => void (await database.run(touch, now, id)),
    ofUser: async (userId, now) => database.all(ofUser, userId, now),
    confirm: async (id, now) => void (await database.run(confirm, now, id)),
    confirmFactor: async (id, now) => void (await database.run(confirmFactor, now, id)),
    renew: async (id, tokenHash, now) => void (await database.run(renew, tokenHash, now, id)),
    remove: async (tokenHash) => void (await database.run(remove, tokenHash)),
    removeOne: async (userId, id) => (await database.run(removeOne, id, userId)) > 0,
    removeOfUser: async (userId, except) => void (await database.run(removeOfUser, userId, except ?? 0)),
    removeExpired: async (now) => void (await database.run(removeExpired, now)),
  };
}
