import type { Database } from '../../database/port/database.ts';
import { noLimit } from '../../database/port/dialect.ts';
import { readValue, write } from '../../database/port/query.ts';
import { run } from '../../database/port/steps.ts';

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

const seenAt = readValue<[number, string], number>('SELECT seen_at FROM known_places WHERE user_id = ? AND place = ?');
const insert = write<[number, string, number]>(
  `INSERT INTO known_places (user_id, place, seen_at) VALUES (?, ?, ?)
   ON CONFLICT (user_id, place) DO UPDATE SET seen_at = excluded.seen_at`,
);
const removeOld = write<[number, number]>('DELETE FROM known_places WHERE user_id = ? AND seen_at <= ?');
const removeSurplus = write<{ user: number; most: number }>(
  `DELETE FROM known_places WHERE user_id = @user AND place IN (SELECT place FROM known_places WHERE user_id = @user ORDER BY seen_at DESC ${noLimit} OFFSET @most)`,
);
const removeReplaced = write<{ before: string; after: string }>(
  'DELETE FROM known_places WHERE place = @after AND user_id IN (SELECT user_id FROM known_places WHERE place = @before)',
);
const rename = write<{ before: string; after: string }>('UPDATE known_places SET place = @after WHERE place = @before');
const removeAll = write<[number]>('DELETE FROM known_places WHERE user_id = ?');

/** Networks and browsers in which users have signed in, named as in `sign-in-place.ts`. */
export function knownPlacesStore(database: Database): KnownPlacesStore {
  const seen = async (userId: number, place: string) =>
    (await database.one(seenAt, userId, place)) ?? Number.NEGATIVE_INFINITY;
  return {
    isKnown: async (userId, place, now) => (await seen(userId, place)) > now - knownForMs,
    remember: async (userId, places, now) => {
      const times = await Promise.all(places.map(async (place) => seen(userId, place)));
      const due = places.filter((_, i) => (times[i] ?? 0) < now - seenAgainAfterMs);
      if (due.length === 0) return;
      await database.transaction(function* () {
        for (const place of due) yield* run(insert, userId, place, now);
        yield* run(removeOld, userId, now - knownForMs);
        yield* run(removeSurplus, { user: userId, most: maxPlaces });
      });
    },
    rename: async (before, after) => {
      if (before === after) return;
      await database.transaction(function* () {
        yield* run(removeReplaced, { before, after });
        yield* run(rename, { before, after });
      });
    },
    forgetAll: async (userId) => void (await database.run(removeAll, userId)),
  };
}
