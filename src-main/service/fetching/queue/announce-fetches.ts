import type { Clock } from './clock.ts';

const announceEveryMs = 250;
const maxRemembered = 200;

interface Told {
  at: number;
  /** Takes back what is still to be told; null when nothing is. */
  cancel: (() => void) | null;
}

export interface Announcer {
  /** A fetch has moved on: told at most four times a second each, the last time always. */
  moved(id: number): void;
  /** A state, the order or the set of fetches is another one; null when it is about many. */
  changed(id: number | null): void;
  stop(): void;
}

/**
 * Tells the windows about fetches, not more often than they can look.
 *
 * @param tellMoved gets the id of a fetch.
 * @param tellChanged gets the id of a fetch, or null for several.
 */
export function announcer(
  clock: Clock,
  tellMoved: (id: number) => void,
  tellChanged: (id: number | null) => void,
): Announcer {
  const told = new Map<number, Told>();
  const list: Told & { about: number | null } = { at: -announceEveryMs, cancel: null, about: null };

  function soon(one: Told, tell: () => void): void {
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
      // The newest are enough: what has ended has nothing more to say.
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
