import type { Database, Transaction } from '../../database/port/database.ts';
import { noLimit } from '../../database/port/dialect.ts';
import { readValue, write } from '../../database/port/query.ts';
import { one, run } from '../../database/port/steps.ts';
import { tell } from '../../notifications/store/outbox.ts';

export interface SignInPlacesStore {
  /**
   * Takes note of a sign-in, and tells the user of one from a place that was not seen in the last 90
   * days, in one transaction. The first sign-in of all is not told.
   *
   * @param place digest of network and browser.
   * @param title what the user is told.
   * @returns whether it was told.
   */
  note(userId: number, place: string, title: string, now: number): Promise<boolean>;
}

const seenForMs = 90 * 86_400_000;
const seenAgainAfterMs = 3_600_000;
/** Limit for each user; the least recently seen places are removed. */
const maxPlaces = 50;

const any = readValue<[number], number>('SELECT 1 FROM sign_in_places WHERE user_id = ? LIMIT 1');
const seenAt = readValue<[number, string], number>(
  'SELECT seen_at FROM sign_in_places WHERE user_id = ? AND place = ?',
);
const see = write<[number, string, number]>(
  `INSERT INTO sign_in_places (user_id, place, seen_at) VALUES (?, ?, ?)
   ON CONFLICT (user_id, place) DO UPDATE SET seen_at = excluded.seen_at`,
);
const removeOld = write<[number, number]>('DELETE FROM sign_in_places WHERE user_id = ? AND seen_at <= ?');
const removeSurplus = write<{ user: number; most: number }>(
  `DELETE FROM sign_in_places WHERE user_id = @user AND place IN
     (SELECT place FROM sign_in_places WHERE user_id = @user ORDER BY seen_at DESC ${noLimit} OFFSET @most)`,
);

/** Where users have signed in, so that they are told of new places. */
export function signInPlacesStore(database: Database): SignInPlacesStore {
  function* note(userId: number, place: string, title: string, now: number): Transaction<boolean> {
    const isFirst = (yield* one(any, userId)) === null;
    const isKnown = ((yield* one(seenAt, userId, place)) ?? 0) > now - seenForMs;
    yield* run(see, userId, place, now);
    yield* run(removeOld, userId, now - seenForMs);
    yield* run(removeSurplus, { user: userId, most: maxPlaces });
    if (isFirst || isKnown) return false;
    const subject = `user:${userId}`;
    yield* tell({
      kind: 'sign-in-new-place',
      subject,
      measurement_id: null,
      project_id: null,
      user_id: userId,
      title,
    });
    return true;
  }
  return {
    note: async (userId, place, title, now) => {
      // Programs may sign in often.
      const seen = (await database.one(seenAt, userId, place)) ?? 0;
      if (seen > now - seenAgainAfterMs && seen <= now) return false;
      return database.transaction(() => note(userId, place, title, now));
    },
  };
}
