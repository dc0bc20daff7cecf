import type Database from 'better-sqlite3';

// Limit for each user; the least recently used places are removed.
const maxPlaces = 50;
const knownForMs = 90 * 86_400_000;
const seenAgainAfterMs = 3_600_000;

export interface KnownPlacesStore {
  isKnown(userId: number, place: string, now: number): Promise<boolean>;
  /**
   * Remembers where a user has signed in. Skips the write when it was recorded within the last
   * hour.
   */
  remember(userId: number, places: readonly string[], now: number): Promise<void>;
  /** Renames a browser for all users who have signed in with it. */
  rename(before: string, after: string): Promise<void>;
  forgetAll(userId: number): Promise<void>;
}

/** Networks and browsers in which users have signed in, named as in `sign-in-place.ts`. */
export function knownPlacesStore(database: Database.Database): KnownPlacesStore {
  const seenAt = database
    .prepare<[number, string], number>('SELECT seen_at FROM known_places WHERE user_id = ? AND place = ?')
    .pluck();
  const insert = database.prepare<[number, string, number]>(
    'INSERT INTO known_places (user_id, place, seen_at) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET seen_at = excluded.seen_at',
  );
  const removeOld = database.prepare<[number, number]>('DELETE FROM known_places WHERE user_id = ? AND seen_at <= ?');
  const removeSurplus = database.prepare<{ user: number; most: number }>(
    `DELETE FROM known_places WHERE user_id = @user AND place IN (SELECT place FROM known_places WHERE user_id = @user ORDER BY seen_at DESC LIMIT -1 OFFSET @most)`,
  );
  const rename = database.prepare<[string, string]>('UPDATE OR REPLACE known_places SET place = ? WHERE place = ?');
  const removeAll = database.prepare<[number]>('DELETE FROM known_places WHERE user_id = ?');
  const remember = database.transaction((userId: number, places: readonly string[], now: number): void => {
    for (const place of places) insert.run(userId, place, now);
    removeOld.run(userId, now - knownForMs);
    removeSurplus.run({ user: userId, most: maxPlaces });
  });
  return {
    isKnown: async (userId, place, now) => (seenAt.get(userId, place) ?? Number.NEGATIVE_INFINITY) > now - knownForMs,
    remember: async (userId, places, now) => {
      const due = places.filter(
        (place) => (seenAt.get(userId, place) ?? Number.NEGATIVE_INFINITY) < now - seenAgainAfterMs,
      );
      if (due.length > 0) remember.immediate(userId, due, now);
    },
    rename: async (before, after) => void rename.run(after, before),
    forgetAll: async (userId) => void removeAll.run(userId),
  };
}
