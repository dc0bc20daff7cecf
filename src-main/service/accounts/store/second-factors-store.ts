import type Database from 'better-sqlite3';

export interface SecondFactorsStore {
  /** Whether the user must present a second factor at sign-in. */
  enabled(userId: number): Promise<boolean>;
  /** Ids of all users with a second factor. */
  enabledUsers(): Promise<ReadonlySet<number>>;
  /** Removes all factors and recovery codes. @returns whether there was one. */
  removeAll(userId: number): Promise<boolean>;
  /** Removes the recovery codes when the user has no factor left. */
  removeUnusedCodes(userId: number): Promise<void>;
}

/**
 * All kinds of second factors: authenticators and security keys, with recovery codes for their
 * loss.
 */
export function secondFactorsStore(database: Database.Database): SecondFactorsStore {
  const enabled = database
    .prepare<[number, number], number>(
      `SELECT EXISTS (SELECT 1 FROM totp_keys WHERE user_id = ? AND confirmed_at IS NOT NULL) OR EXISTS (SELECT 1 FROM webauthn_keys WHERE user_id = ?)`,
    )
    .pluck();
  const users = database
    .prepare<[], number>(
      'SELECT user_id FROM totp_keys WHERE confirmed_at IS NOT NULL UNION SELECT user_id FROM webauthn_keys',
    )
    .pluck();
  const removals = ['totp_keys', 'webauthn_keys', 'recovery_codes'].map((table) =>
    database.prepare<[number]>(`DELETE FROM ${table} WHERE user_id = ?`),
  );
  const removeCodes = database.prepare<[number]>('DELETE FROM recovery_codes WHERE user_id = ?');
  const isEnabled = (userId: number) => enabled.get(userId, userId) === 1;
  const removeAll = database.transaction((userId: number): boolean => {
    const had = isEnabled(userId);
    for (const removal of removals) removal.run(userId);
    return had;
  });
  const removeUnusedCodes = database.transaction((userId: number): void => {
    if (!isEnabled(userId)) removeCodes.run(userId);
  });
  return {
    enabled: async (userId) => isEnabled(userId),
    enabledUsers: async () => new Set(users.all()),
    removeAll: async (userId) => removeAll.immediate(userId),
    removeUnusedCodes: async (userId) => removeUnusedCodes.immediate(userId),
  };
}
