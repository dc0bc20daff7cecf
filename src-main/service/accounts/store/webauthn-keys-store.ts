import type Database from 'better-sqlite3';

export interface WebauthnKeyRow {
  readonly id: number;
  readonly user_id: number;
  readonly name: string;
  readonly credential_id: Buffer;
  readonly public_key: Buffer;
  readonly counter: number;
  /** Separated by spaces. */
  readonly transports: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
}

export type NewWebauthnKey = Pick<
  WebauthnKeyRow,
  'user_id' | 'name' | 'credential_id' | 'public_key' | 'counter' | 'transports'
>;

export interface WebauthnKeysStore {
  ofUser(userId: number): Promise<readonly WebauthnKeyRow[]>;
  /** @returns null when the credential is already registered, by any user. */
  add(key: NewWebauthnKey, now: number): Promise<WebauthnKeyRow | null>;
  /**
   * Stores the counter of a use. @returns false when it did not increase, which indicates a cloned
   * key (WebAuthn section 6.1.1).
   */
  recordUse(id: number, counter: number, now: number): Promise<boolean>;
  /** @returns the removed key, or null when the user has no such key. */
  remove(userId: number, id: number): Promise<WebauthnKeyRow | null>;
}

/** Security keys in SQLite. */
export function webauthnKeysStore(database: Database.Database): WebauthnKeysStore {
  const ofUser = database.prepare<[number], WebauthnKeyRow>(
    'SELECT * FROM webauthn_keys WHERE user_id = ? ORDER BY id',
  );
  const insert = database.prepare<[number, string, Buffer, Buffer, number, string, number], WebauthnKeyRow>(
    `INSERT INTO webauthn_keys (user_id, name, credential_id, public_key, counter, transports, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (credential_id) DO NOTHING RETURNING *`,
  );
  // Keys without a counter always send 0.
  const recordUse = database.prepare<[number, number, number, number, number]>(
    'UPDATE webauthn_keys SET counter = ?, last_used_at = ? WHERE id = ? AND (counter < ? OR (counter = 0 AND ? = 0))',
  );
  const remove = database.prepare<[number, number], WebauthnKeyRow>(
    'DELETE FROM webauthn_keys WHERE id = ? AND user_id = ? RETURNING *',
  );
  return {
    ofUser: async (userId) => ofUser.all(userId),
    add: async (key, now) =>
      insert.get(key.user_id, key.name, key.credential_id, key.public_key, key.counter, key.transports, now) ?? null,
    recordUse: async (id, counter, now) => recordUse.run(counter, now, id, counter, counter).changes > 0,
    remove: async (userId, id) => remove.get(id, userId) ?? null,
  };
}
