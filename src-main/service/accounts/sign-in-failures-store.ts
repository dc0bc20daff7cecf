import type Database from 'better-sqlite3';
import { auditWriter } from '../audit/audit-store.ts';

/** How many wrong passwords and codes in a row lock an account, and for how long. */
const mostFailures = 10;
const lockedFor = 10 * 60_000;

export interface SignInFailuresStore {
  /**
   * Counts a wrong password or code, and writes it down. For an unknown name (null) as much is written as for a known one, so that the time
   * tells nothing; the name itself is not kept, it may be a password in the wrong field.
   *
   * @returns whether this one locked the account.
   */
  record(userId: number | null, what: string, address: string, now: number): Promise<boolean>;
  /** Forgets what was counted, after a sign-in that went through, or by an administrator. */
  clear(userId: number): Promise<void>;
}

/** Wrong passwords and codes, and the lock that follows them. */
export function signInFailuresStore(database: Database.Database): SignInFailuresStore {
  // A locked account is not counted up: its lock ends at the time that was set, whatever is tried meanwhile.
  const count = database
    .prepare<[number, number], number>(
      `UPDATE users SET failed_sign_ins = failed_sign_ins + 1 WHERE id = ? AND (locked_until IS NULL OR locked_until <= ?) RETURNING failed_sign_ins`,
    )
    .pluck();
  const lock = database.prepare<[number, number]>('UPDATE users SET failed_sign_ins = 0, locked_until = ? WHERE id = ?');
  const clear = database.prepare<[number]>(
    'UPDATE users SET failed_sign_ins = 0, locked_until = NULL WHERE id = ? AND (failed_sign_ins > 0 OR locked_until IS NOT NULL)',
  );
  const audit = auditWriter(database);
  const record = database.transaction((userId: number | null, what: string, address: string, now: number): boolean => {
    const subject = userId === null ? 'user:unknown' : `user:${userId}`;
    audit({ userId: null, action: 'user.sign-in-failed', subject, detail: what, address });
    if (userId === null || (count.get(userId, now) ?? 0) < mostFailures) return false;
    lock.run(now + lockedFor, userId);
    audit({ userId: null, action: 'user.lock', subject, detail: `after ${mostFailures} failures`, address });
    return true;
  });
  return {
    record: async (userId, what, address, now) => record.immediate(userId, what, address, now),
    clear: async (userId) => void clear.run(userId),
  };
}
