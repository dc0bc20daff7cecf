import type { Database, Transaction } from '../../database/port/database.ts';
import { readValue, write } from '../../database/port/query.ts';
import { one, run } from '../../database/port/steps.ts';
import type { PurgeStore } from '../../database/purge.ts';
import { lifetimes } from '../shared/types.ts';

const day = 86_400_000;
const batch = 50;
// Deleting a grant deletes its tokens too, so the batch is smaller.
const grantBatch = 10;
// Grants examined at a time for orphans: a day old, with a code that was never exchanged.
const orphanBatch = 500;
// Every refresh token expires at most this long after its access token, so the indexed expiry of the
// access token suffices.
const refreshBeyondAccess = lifetimes.refreshIdle - lifetimes.accessToken;

const tokens = write<[number, number]>(
  'DELETE FROM oauth_tokens WHERE id IN (SELECT id FROM oauth_tokens WHERE expires_at < ? LIMIT ?)',
);
const codes = write<[number, number]>(
  'DELETE FROM oauth_codes WHERE code_hash IN (SELECT code_hash FROM oauth_codes WHERE expires_at < ? LIMIT ?)',
);
const devices = write<[number, number]>(
  'DELETE FROM oauth_device_codes WHERE id IN (SELECT id FROM oauth_device_codes WHERE expires_at < ? LIMIT ?)',
);
const grants = write<[number, number]>(
  'DELETE FROM oauth_grants WHERE id IN (SELECT id FROM oauth_grants WHERE expires_at < ? LIMIT ?)',
);
const page = readValue<[number, number], number | null>(
  'SELECT max(id) FROM (SELECT id FROM oauth_grants WHERE id > ? ORDER BY id LIMIT ?) AS page',
);
const orphans = write<[number, number, number]>(
  `DELETE FROM oauth_grants WHERE id > ? AND id <= ? AND created_at < ?
     AND NOT EXISTS (SELECT 1 FROM oauth_tokens WHERE grant_id = oauth_grants.id) AND NOT EXISTS (SELECT 1 FROM oauth_codes WHERE grant_id = oauth_grants.id)`,
);

/**
 * Deletes codes, tokens and grants that have ended. Used refresh tokens are kept until their expiry
 * so that reuse is detected, and codes for a day for the same reason.
 */
export function purgeStore(database: Database): PurgeStore {
  let orphansSeen = 0;

  /** The last grant that was examined for orphans; 0 when there are no more. Null while other rows ended. */
  function* some(now: number, seen: number): Transaction<number | null> {
    if ((yield* run(tokens, now - refreshBeyondAccess - day, batch)) > 0) return null;
    if ((yield* run(codes, now - day, batch)) > 0) return null;
    if ((yield* run(devices, now - day, batch)) > 0) return null;
    if ((yield* run(grants, now - day, grantBatch)) > 0) return null;
    const last = yield* one(page, seen, orphanBatch);
    if (last !== null) yield* run(orphans, seen, last, now - day);
    return last ?? 0;
  }

  return {
    purgeSome: async (now) => {
      const seen = await database.transaction(() => some(now, orphansSeen));
      orphansSeen = seen ?? orphansSeen;
      return seen !== 0;
    },
  };
}
