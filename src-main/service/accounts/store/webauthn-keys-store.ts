import type { Database } from '../../database/port/database.ts';
import { read, write } from '../../database/port/query.ts';

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

export type NewWebauthnKeyRow = Pick<
  WebauthnKeyRow,
  'user_id' | 'name' | 'credential_id' | 'public_key' | 'counter' | 'transports'
>;

export interface WebauthnKeysStore {
  ofUser(userId: number): Promise<readonly WebauthnKeyRow[]>;
  /** @returns null when the credential is already registered, by any user. */
  add(key: NewWebauthnKeyRow, now: number): Promise<WebauthnKeyRow | null>;
  /**
   * Stores the counter of a use. @returns false when it did not increase, which indicates a cloned
   * key (WebAuthn section 6.1.1).
   */
  recordUse(id: number, counter: number, now: number): Promise<boolean>;
  /** @returns the removed key, or null when the user has no such key. */
  remove(userId: number, id: number): Promise<WebauthnKeyRow | null>;
}

const ofUser = read<[number], WebauthnKeyRow>('SELECT * FROM webauthn_keys WHERE user_id = ? ORDER BY id');
const insert = write<[number, string, Buffer, Buffer, number, string, number], WebauthnKeyRow>(
  `INSERT INTO webauthn_keys (user_id, name, credential_id, public_key, counter, transports, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
   ON CONFLICT (credential_id) DO NOTHING RETURNING *`,
);
// Keys without a counter always send 0.
const recordUse = write<[number, number, number, number, number]>(
  'UPDATE webauthn_keys SET counter = ?, last_used_at = ? WHERE id = ? AND (counter < ? OR (counter = 0 AND ? = 0))',
);
const remove = write<[number, number], WebauthnKeyRow>(
  'DELETE FROM webauthn_keys WHERE id = ? AND user_id = ? RETURNING *',
);

/** Security keys. */
export function webauthnKeysStore(database: Database): WebauthnKeysStore {
  return {
    ofUser: async (userId) => database.all(ofUser, userId),
    add: async (key, now) =>
      database.returning(
        insert,
        key.user_id,
        key.name,
        key.credential_id,
        key.public_key,
        key.counter,
        key.transports,
        now,
      ),
    recordUse: async (id, counter, now) => (await database.run(recordUse, counter, now, id, counter, counter)) > 0,
    remove: async (userId, id) => database.returning(remove, id, userId),
  };
}
