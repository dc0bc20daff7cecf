import type Database from 'better-sqlite3';
import { auditWriter } from '../../audit/audit-store.ts';
import type { SignInPlace } from './sign-in-place.ts';

/** Consecutive failures that lock an account for one network or browser. */
const maxFailures = 10;
const lockMs = 10 * 60_000;
/** Failures from unknown networks within an hour that lock the account for all unknown networks. */
const maxUnknownFailures = 50;
const unknownWindowMs = 3_600_000;
const unknownLockMs = 3_600_000;

/** A current lock of an account. */
export interface SignInLock {
  readonly until: number;
  /** One network or browser, or all places in which the user has not signed in before. */
  readonly where: 'one-place' | 'new-places';
}

export interface SignInFailuresStore {
  /** Whether the account is locked for this place. */
  locked(userId: number, place: SignInPlace, now: number): Promise<boolean>;
  /**
   * Counts and audits a wrong password or code. Attempts on unknown names (null) are audited too,
   * so that timing reveals nothing; the name itself is not stored, because it may be a mistyped
   * password. Attempts during a lock do not count, so each lock ends on time.
   *
   * @returns whether this failure locked the account.
   */
  record(userId: number | null, what: string, place: SignInPlace, now: number): Promise<boolean>;
  /** Resets the failures of one place after a successful sign-in. */
  clearPlace(userId: number, place: SignInPlace): Promise<void>;
  /** Resets all failures and locks of a user. */
  clear(userId: number): Promise<void>;
  /** Current locks by user id. */
  locks(now: number): Promise<ReadonlyMap<number, SignInLock>>;
}

/** Failed sign-ins and the resulting locks, in SQLite. */
export function signInFailuresStore(database: Database.Database): SignInFailuresStore {
  const lockOfPlace = database
    .prepare<[number, string], number | null>(
      'SELECT locked_until FROM sign_in_failures WHERE user_id = ? AND place = ?',
    )
    .pluck();
  const lockOfUser = database.prepare<[number], number | null>('SELECT locked_until FROM users WHERE id = ?').pluck();
  const count = database
    .prepare<[number, string, number], number>(
      `INSERT INTO sign_in_failures (user_id, place, failures, failed_at) VALUES (?, ?, 1, ?)
       ON CONFLICT DO UPDATE SET failures = failures + 1, failed_at = excluded.failed_at, locked_until = NULL RETURNING failures`,
    )
    .pluck();
  const lockPlace = database.prepare<[number, number, string]>(
    'UPDATE sign_in_failures SET failures = 0, locked_until = ? WHERE user_id = ? AND place = ?',
  );
  const countUnknown = database
    .prepare<{ id: number; now: number; begun: number }, number>(
      `UPDATE users SET failed_sign_ins = iif(failures_since > @begun, failed_sign_ins + 1, 1), failures_since = iif(failures_since > @begun, failures_since, @now)
       WHERE id = @id RETURNING failed_sign_ins`,
    )
    .pluck();
  const lockUnknown = database.prepare<[number, number]>(
    'UPDATE users SET failed_sign_ins = 0, failures_since = NULL, locked_until = ? WHERE id = ?',
  );
  const removeOld = database.prepare<[number, number, number]>(
    'DELETE FROM sign_in_failures WHERE user_id = ? AND failed_at <= ? AND coalesce(locked_until, 0) <= ?',
  );
  const clearPlace = database.prepare<[number, string]>('DELETE FROM sign_in_failures WHERE user_id = ? AND place = ?');
  const clearUser = database.prepare<[number]>(
    'UPDATE users SET failed_sign_ins = 0, failures_since = NULL, locked_until = NULL WHERE id = ?',
  );
  const clearPlaces = database.prepare<[number]>('DELETE FROM sign_in_failures WHERE user_id = ?');
  const locks = database.prepare<[{ now: number }], { id: number; until: number; everywhere: 0 | 1 }>(
    `SELECT user_id AS id, max(locked_until) AS until, 0 AS everywhere FROM sign_in_failures WHERE locked_until > @now GROUP BY user_id
     UNION ALL SELECT id, locked_until, 1 FROM users WHERE locked_until > @now`,
  );
  const audit = auditWriter(database);

  function isLocked(userId: number, place: SignInPlace, now: number): boolean {
    return (lockOfPlace.get(userId, place.name) ?? 0) > now || (!place.known && (lockOfUser.get(userId) ?? 0) > now);
  }

  const record = database.transaction(
    (userId: number | null, what: string, place: SignInPlace, now: number): boolean => {
      const subject = userId === null ? 'user:unknown' : `user:${userId}`;
      const { address } = place;
      audit({ userId: null, action: 'user.sign-in-failed', subject, detail: what, address });
      if (userId === null || isLocked(userId, place, now)) return false;
      removeOld.run(userId, now - unknownWindowMs, now);
      const here = (count.get(userId, place.name, now) ?? 0) >= maxFailures;
      if (here) lockPlace.run(now + lockMs, userId, place.name);
      const unknown =
        !place.known &&
        (countUnknown.get({ id: userId, now, begun: now - unknownWindowMs }) ?? 0) >= maxUnknownFailures;
      if (unknown) lockUnknown.run(now + unknownLockMs, userId);
      if (here || unknown) {
        const detail = unknown
          ? `new places, after ${maxUnknownFailures} failures within an hour`
          : `one place, after ${maxFailures} failures`;
        audit({ userId: null, action: 'user.lock', subject, detail, address });
      }
      return here || unknown;
    },
  );
  const clear = database.transaction((userId: number): void => {
    clearUser.run(userId);
    clearPlaces.run(userId);
  });
  return {
    locked: async (userId, place, now) => isLocked(userId, place, now),
    record: async (userId, what, place, now) => record.immediate(userId, what, place, now),
    clearPlace: async (userId, place) => void clearPlace.run(userId, place.name),
    clear: async (userId) => clear.immediate(userId),
    locks: async (now) => {
      const found = new Map<number, SignInLock>();
      for (const { id, until, everywhere } of locks.all({ now }))
        found.set(id, { until, where: everywhere === 1 ? 'new-places' : 'one-place' });
      return found;
    },
  };
}
