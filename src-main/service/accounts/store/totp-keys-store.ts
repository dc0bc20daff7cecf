import type { Database } from '../../database/port/database.ts';
import { read, write } from '../../database/port/query.ts';

export interface TotpKeyRow {
  readonly user_id: number;
  readonly sealed_key: Buffer;
  /** Null until the first correct code. */
  readonly confirmed_at: number | null;
}

export interface TotpKeysStore {
  ofUser(userId: number): Promise<TotpKeyRow | null>;
  /** Stores a new key unless there is a confirmed one. @returns whether it was stored. */
  begin(userId: number, sealedKey: Buffer, now: number): Promise<boolean>;
  /** @returns whether there was an unconfirmed key. */
  confirm(userId: number, step: number, now: number): Promise<boolean>;
  /**
   * Marks a time step as used. @returns false when it or a later one was already used (RFC 6238
   * section 5.2).
   */
  useStep(userId: number, step: number): Promise<boolean>;
  /** @returns whether there was a key. */
  remove(userId: number): Promise<boolean>;
}

const ofUser = read<[number], TotpKeyRow>('SELECT user_id, sealed_key, confirmed_at FROM totp_keys WHERE user_id = ?');
const begin = write<[number, Buffer, number]>(
  `INSERT INTO totp_keys (user_id, sealed_key, created_at) VALUES (?, ?, ?)
   ON CONFLICT (user_id) DO UPDATE SET sealed_key = excluded.sealed_key, created_at = excluded.created_at, last_step = 0
     WHERE totp_keys.confirmed_at IS NULL`,
);
const confirm = write<[number, number, number]>(
  'UPDATE totp_keys SET confirmed_at = ?, last_step = ? WHERE user_id = ? AND confirmed_at IS NULL',
);
const useStep = write<[number, number, number]>(
  'UPDATE totp_keys SET last_step = ? WHERE user_id = ? AND confirmed_at IS NOT NULL AND last_step < ?',
);
const remove = write<[number]>('DELETE FROM totp_keys WHERE user_id = ?');

/** Sealed keys of authenticators. */
export function totpKeysStore(database: Database): TotpKeysStore {
  return {
    ofUser: async (userId) => database.one(ofUser, userId),
    begin: async (userId, sealedKey, now) => (await database.run(begin, userId, sealedKey, now)) > 0,
    confirm: async (userId, step, now) => (await database.run(confirm, now, step, userId)) > 0,
    useStep: async (userId, step) => (await database.run(useStep, step, userId, step)) > 0,
    remove: async (userId) => (await database.run(remove, userId)) > 0,
  };
}
