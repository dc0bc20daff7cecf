import type Database from 'better-sqlite3';

export interface RecoveryCodesStore {
  /** Replaces all codes of a user. */
  replace(userId: number, hashes: readonly Buffer[]): Promise<void>;
  /** Marks a code as used. @returns false when it is unknown or was already used. */
  use(userId: number, hash: Buffer, now: number): Promise<boolean>;
  left(userId: number): Promise<number>;
}

/** Recovery codes in SQLite, stored as SHA-256. */
export function recoveryCodesStore(database: Database.Database): RecoveryCodesStore {
  const removeAll = database.prepare<[number]>('DELETE FROM recovery_codes WHERE user_id = ?');
  const insert = database.prepare<[number, Buffer]>('INSERT INTO recovery_codes (user_id, code_hash) VALUES (?, ?)');
  const use = database.prepare<[number, number, Buffer]>(
    'UPDATE recovery_codes SET used_at = ? WHERE user_id = ? AND code_hash = ? AND used_at IS NULL',
  );
  const left = database
    .prepare<[number], number>('SELECT count(*) FROM recovery_codes WHERE user_id = ? AND used_at IS NULL')
    .pluck();
  const replace = database.transaction((userId: number, hashes: readonly Buffer[]) => {
    removeAll.run(userId);
    for (const hash of hashes) insert.run(userId, hash);
  });
  return {
    replace: async (userId, hashes) => replace.immediate(userId, hashes),
    use: async (userId, hash, now) => use.run(now, userId, hash).changes > 0,
    left: async (userId) => left.get(userId) ?? 0,
  };
}
