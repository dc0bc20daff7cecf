import type { Database, Reading } from '../../database/port/database.ts';
import { readValue, write } from '../../database/port/query.ts';
import { one, run } from '../../database/port/steps.ts';

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

const factors = readValue<{ userId: number }, number>(
  `SELECT user_id FROM totp_keys WHERE user_id = @userId AND confirmed_at IS NOT NULL
   UNION ALL SELECT user_id FROM webauthn_keys WHERE user_id = @userId LIMIT 1`,
);
const users = readValue<[], number>(
  'SELECT user_id FROM totp_keys WHERE confirmed_at IS NOT NULL UNION SELECT user_id FROM webauthn_keys',
);
const removeCodes = write<[number]>('DELETE FROM recovery_codes WHERE user_id = ?');
const removals = [
  write<[number]>('DELETE FROM totp_keys WHERE user_id = ?'),
  write<[number]>('DELETE FROM webauthn_keys WHERE user_id = ?'),
  removeCodes,
];

function* isEnabled(userId: number): Reading<boolean> {
  return (yield* one(factors, { userId })) !== null;
}

/**
 * All kinds of second factors: authenticators and security keys, with recovery codes for their
 * loss.
 */
export function secondFactorsStore(database: Database): SecondFactorsStore {
  return {
    enabled: async (userId) => database.read(() => isEnabled(userId)),
    enabledUsers: async () => new Set(await database.all(users)),
    removeAll: async (userId) =>
      database.transaction(function* () {
        const had = yield* isEnabled(userId);
        for (const removal of removals) yield* run(removal, userId);
        return had;
      }),
    removeUnusedCodes: async (userId) =>
      database.transaction(function* () {
        if (!(yield* isEnabled(userId))) yield* run(removeCodes, userId);
      }),
  };
}
