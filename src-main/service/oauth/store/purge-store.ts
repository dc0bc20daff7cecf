import type Database from 'better-sqlite3';
import type { PurgeStore } from '../../database/purge.ts';
import { lifetimes } from '../shared/types.ts';

const day = 86_400_000;
const batch = 50;
// Deleting a grant deletes its tokens too, so the batch is smaller.
const grantBatch = 10;
// Grants examined at a time for orphans: a day old, with a code that was never exchanged.
const orphanBatch = 500;

/**
 * Deletes codes, tokens and grants that have ended. Used refresh tokens are kept until their expiry
 * so that reuse is detected, and codes for a day for the same reason.
 */
export function purgeStore(database: Database.Database): PurgeStore {
  // Every refresh token expires at most this long after its access token, so the indexed expiry of
  // the access token suffices.
  const refreshBeyondAccess = lifetimes.refreshIdle - lifetimes.accessToken;
  const tokens = database.prepare<[number, number]>(
    'DELETE FROM oauth_tokens WHERE id IN (SELECT id FROM oauth_tokens WHERE expires_at < ? LIMIT ?)',
  );
  const codes = database.prepare<[number, number]>(
    'DELETE FROM oauth_codes WHERE code_hash IN (SELECT code_hash FROM oauth_codes WHERE expires_at < ? LIMIT ?)',
  );
  const devices = database.prepare<[number, number]>(
    'DELETE FROM oauth_device_codes WHERE id IN (SELECT id FROM oauth_device_codes WHERE expires_at < ? LIMIT ?)',
  );
  const grants = database.prepare<[number, number]>(
    'DELETE FROM oauth_grants WHERE id IN (SELECT id FROM oauth_grants WHERE expires_at < ? LIMIT ?)',
  );
  const page = database
    .prepare<[number, number], number | null>(
      'SELECT max(id) FROM (SELECT id FROM oauth_grants WHERE id > ? ORDER BY id LIMIT ?)',
    )
    .pluck();
  const orphans = database.prepare<[number, number, number]>(
    `DELETE FROM oauth_grants WHERE id > ? AND id <= ? AND created_at < ?
       AND NOT EXISTS (SELECT 1 FROM oauth_tokens WHERE grant_id = oauth_grants.id) AND NOT EXISTS (SELECT 1 FROM oauth_codes WHERE grant_id = oauth_grants.id)`,
  );
  let orphansSeen = 0;

  const some = database.transaction((now: number): boolean => {
    if (tokens.run(now - refreshBeyondAccess - day, batch).changes > 0) return true;
    if (codes.run(now - day, batch).changes > 0) return true;
    if (devices.run(now - day, batch).changes > 0) return true;
    if (grants.run(now - day, grantBatch).changes > 0) return true;
    const last = page.get(orphansSeen, orphanBatch) ?? null;
    if (last === null) {
      orphansSeen = 0;
      return false;
    }
    orphans.run(orphansSeen, last, now - day);
    orphansSeen = last;
    return true;
  });
  return { purgeSome: async (now) => some.immediate(now) };
}
