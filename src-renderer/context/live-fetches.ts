import { createStore } from 'zustand/vanilla';
import type { Fetch } from '../api/requests/types.ts';

/**
 * Milliseconds for which an event takes precedence over a later page of the list; each change of a
 * state invalidates the list.
 */
const freshFor = 30_000;
/**
 * Milliseconds during which events are collected: pausing ten thousand fetches is one update of the
 * screen.
 */
const gatherFor = 100;

export interface LiveFetch {
  readonly fetch: Fetch;
  /** When it was received, in milliseconds since 1970. */
  readonly at: number;
}

export type LiveFetches = ReturnType<typeof createLiveFetches>;

/**
 * The latest `fetch` events by id. Rows subscribe only to their own, so that one that changes four
 * times a second does not redraw the others.
 */
export function createLiveFetches() {
  let gathered = new Map<number, LiveFetch>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const store = createStore<{ readonly byId: ReadonlyMap<number, LiveFetch> }>()(() => ({ byId: new Map() }));
  const flush = (): void => {
    timer = null;
    const now = Date.now();
    const kept = [...store.getState().byId].filter(([, { at }]) => now - at < freshFor);
    store.setState({ byId: new Map([...kept, ...gathered]) });
    gathered = new Map();
  };
  return {
    store,
    /** Stores an event; returns whether its state differs from the last known one. */
    put(fetch: Fetch): boolean {
      const before = (gathered.get(fetch.id) ?? store.getState().byId.get(fetch.id))?.fetch;
      gathered.set(fetch.id, { fetch, at: Date.now() });
      timer ??= setTimeout(flush, gatherFor);
      return before !== undefined && (before.state !== fetch.state || before.reason !== fetch.reason);
    },
    /** Whether a recent event exists for it. */
    knows: (id: number): boolean => gathered.has(id) || store.getState().byId.has(id),
    /** The recent event for it. */
    latest: (id: number): Fetch | undefined => (gathered.get(id) ?? store.getState().byId.get(id))?.fetch,
    /** Discards all events, after some were missed. */
    forget(): void {
      gathered.clear();
      store.setState({ byId: new Map() });
    },
  };
}

/** The newer of the list's row and the event. */
export function newest(listed: Fetch, listedAt: number, live: LiveFetch | undefined): Fetch {
  return live !== undefined && live.at > listedAt ? live.fetch : listed;
}
