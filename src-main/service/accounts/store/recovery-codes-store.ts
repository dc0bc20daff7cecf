import type { Database } from '../../database/port/database.ts';
import { readValue, write } from '../../database/port/query.ts';
import { run } from '../../database/port/steps.ts';

export interface RecoveryCodesStore {
  /** Replaces all codes of a user. */
  replace(userId: number, hashes: readonly Buffer[]): Promise<void>;
  /** Marks a code as used. @returns false when it is unknown or was already used. */
  use(userId: number, hash: Buffer, now: number): Promise<boolean>;
  left(userId: number): Promise<number>;
}

const removeAll = write<[number]>('DELETE FROM recovery_codes WHERE user_id = ?');
const insert = write<[number, Buffer]>('INSERT INTO recovery_codes (user_id, code_hash) VALUES (?, ?)');
const use = write<[number, number, Buffer]>(
  'UPDATE recovery_codes SET used_at = ? WHERE user_id = ? AND code_hash = ? AND used_at IS NULL',
);
const left = readValue<[number], number>('SELECT count(*) FROM recovery_codes WHERE user_id = ? AND used_at IS NULL');

/** Recovery codes, stored as SHA-256. */
export function recoveryCodesStore(database: Database): RecoveryCodesStore {
  return {
    replace: async (userId, hashes) =>
      database.transaction(function* () {
        yield* run(removeAll, userId);
        for (const hash of hashes) yield* run(insert, userId, hash);
      }),
    use: async (userId, hash, now) => (await database.run(use, now, userId, hash)) > 0,
    left: async (userId) => (await database.one(left, userId)) ?? 0,
  };
}
