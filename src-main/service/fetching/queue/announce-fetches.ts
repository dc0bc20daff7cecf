import type { Clock } from './clock.ts';

const announceEveryMs = 250;
const maxRemembered = 200;

interface Announced {
  at: number;
  /** Cancels the pending announcement; null if there is none. */
  cancel: (() => void) | null;
}

export interface Announcer {
  /**
   * A fetch has made progress. Announced at most four times a second per fetch, and always the last
   * time.
   */
  moved(id: number): void;
  /** A state, the order or the set of fetches has changed; null means several fetches. */
  changed(id: number | null): void;
  stop(): void;
}

/**
 * Announces changes to the windows at a limited rate.
 *
 * @param tellMoved receives the id of a fetch.
 * @param tellChanged receives the id of a fetch, or null for several.
 */
export function announcer(
  clock: Clock,
  tellMoved: (id: number) => void,
  tellChanged: (id: number | null) => void,
): Announcer {
  const told = new Map<number, Announced>();
  const list: Announced & { about: number | null } = { at: -announceEveryMs, cancel: null, about: null };

  function soon(one: Announced, tell: () => void): void {
    if (one.cancel) return;
    const now = () => {
      one.cancel = null;
      one.at = clock.steady();
      tell();
    };
    const wait = one.at + announceEveryMs - clock.steady();
    if (wait <= 0) now();
    else one.cancel = clock.after(wait, now);
  }

  return {
    moved: (id) => {
      const one = told.get(id) ?? { at: -announceEveryMs, cancel: null };
      // Moves the entry to the end, so that the oldest is evicted first.
      told.delete(id);
      told.set(id, one);
      const [oldest] = told;
      if (told.size > maxRemembered && oldest && oldest[1].cancel === null) told.delete(oldest[0]);
      soon(one, () => tellMoved(id));
    },
    changed: (id) => {
      list.about = list.cancel && list.about !== id ? null : id;
      soon(list, () => tellChanged(list.about));
    },
    stop: () => {
      for (const one of [list, ...told.values()]) one.cancel?.();
    },
  };
}
