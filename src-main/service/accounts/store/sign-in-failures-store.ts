import { recordAudit } from '../../audit/audit-store.ts';
import type { Database, Reading, Transaction } from '../../database/port/database.ts';
import { read, readValue, write, writeValue } from '../../database/port/query.ts';
import { one, returning, run } from '../../database/port/steps.ts';
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

export type RecordedFailure = 'counted' | 'locks' | 'was-locked';

export interface SignInFailuresStore {
  /** Whether the account is locked for this place. */
  locked(userId: number, place: SignInPlace, now: number): Promise<boolean>;
  /**
   * Counts and audits a wrong password or code. Attempts on unknown names (null) are audited too,
   * so that timing reveals nothing; the name itself is not stored, because it may be a mistyped
   * password. Attempts during a lock do not count, so each lock ends on time.
   *
   * @returns whether this failure locked the account, or another one had locked it before.
   */
  record(userId: number | null, what: string, place: SignInPlace, now: number): Promise<RecordedFailure>;
  /** Resets the failures of one place after a successful sign-in. */
  clearPlace(userId: number, place: SignInPlace): Promise<void>;
  /** Resets all failures and locks of a user. */
  clear(userId: number): Promise<void>;
  /** Current locks by user id. */
  locks(now: number): Promise<ReadonlyMap<number, SignInLock>>;
}

const lockOfPlace = readValue<[number, string], number | null>(
  'SELECT locked_until FROM sign_in_failures WHERE user_id = ? AND place = ?',
);
const lockOfUser = readValue<[number], number | null>('SELECT locked_until FROM users WHERE id = ?');
const count = writeValue<[number, string, number], number>(
  `INSERT INTO sign_in_failures (user_id, place, failures, failed_at) VALUES (?, ?, 1, ?)
     ON CONFLICT (user_id, place) DO UPDATE SET failures = sign_in_failures.failures + 1, failed_at = excluded.failed_at, locked_until = NULL RETURNING failures`,
);
const lockPlace = write<[number, number, string]>(
  'UPDATE sign_in_failures SET failures = 0, locked_until = ? WHERE user_id = ? AND place = ?',
);
const countUnknown = writeValue<{ id: number; now: number; begun: number }, number>(
  `UPDATE users SET failed_sign_ins = iif(failures_since > @begun, failed_sign_ins + 1, 1), failures_since = iif(failures_since > @begun, failures_since, @now)
     WHERE id = @id RETURNING failed_sign_ins`,
);
const lockUnknown = write<[number, number]>(
  'UPDATE users SET failed_sign_ins = 0, failures_since = NULL, locked_until = ? WHERE id = ?',
);
const removeOld = write<[number, number, number]>(
  'DELETE FROM sign_in_failures WHERE user_id = ? AND failed_at <= ? AND coalesce(locked_until, 0) <= ?',
);
const clearPlace = write<[number, string]>('DELETE FROM sign_in_failures WHERE user_id = ? AND place = ?');
const clearUser = write<[number]>(
  'UPDATE users SET failed_sign_ins = 0, failures_since = NULL, locked_until = NULL WHERE id = ?',
);
const clearPlaces = write<[number]>('DELETE FROM sign_in_failures WHERE user_id = ?');
const locks = read<{ now: number }, { id: number; until: number; everywhere: 0 | 1 }>(
  `SELECT user_id AS id, max(locked_until) AS until, 0 AS everywhere FROM sign_in_failures WHERE locked_until > @now GROUP BY user_id
   UNION ALL SELECT id, locked_until, 1 FROM users WHERE locked_until > @now`,
);

function* countFailure(userId: number, place: SignInPlace, now: number): Transaction<string | null> {
  yield* run(removeOld, userId, now - unknownWindowMs, now);
  const here = ((yield* returning(count, userId, place.name, now)) ?? 0) >= maxFailures;
  if (here) yield* run(lockPlace, now + lockMs, userId, place.name);
  const unknown =
    !place.known &&
    ((yield* returning(countUnknown, { id: userId, now, begun: now - unknownWindowMs })) ?? 0) >= maxUnknownFailures;
  if (unknown) yield* run(lockUnknown, now + unknownLockMs, userId);
  if (unknown) return `new places, after ${maxUnknownFailures} failures within an hour`;
  return here ? `one place, after ${maxFailures} failures` : null;
}

function* isLocked(userId: number, place: SignInPlace, now: number): Reading<boolean> {
  if (((yield* one(lockOfPlace, userId, place.name)) ?? 0) > now) return true;
  return !place.known && ((yield* one(lockOfUser, userId)) ?? 0) > now;
}

function* record(userId: number | null, what: string, place: SignInPlace, now: number): Transaction<RecordedFailure> {
  const subject = userId === null ? 'user:unknown' : `user:${userId}`;
  const { address } = place;
  yield* recordAudit({ userId: null, action: 'user.sign-in-failed', subject, detail: what, address });
  if (userId === null) return 'counted';
  if (yield* isLocked(userId, place, now)) return 'was-locked';
  const lock = yield* countFailure(userId, place, now);
  if (lock !== null) yield* recordAudit({ userId: null, action: 'user.lock', subject, detail: lock, address });
  return lock === null ? 'counted' : 'locks';
}

/** Failed sign-ins and the resulting locks. */
export function signInFailuresStore(database: Database): SignInFailuresStore {
  return {
    locked: async (userId, place, now) => database.read(() => isLocked(userId, place, now)),
    record: async (userId, what, place, now) => database.transaction(() => record(userId, what, place, now)),
    clearPlace: async (userId, place) => void (await database.run(clearPlace, userId, place.name)),
    clear: async (userId) =>
      database.transaction(function* () {
        yield* run(clearUser, userId);
        yield* run(clearPlaces, userId);
      }),
    locks: async (now) => {
      const found = new Map<number, SignInLock>();
      for (const { id, until, everywhere } of await database.all(locks, { now }))
        found.set(id, { until, where: everywhere === 1 ? 'new-places' : 'one-place' });
      return found;
    },
  };
}
