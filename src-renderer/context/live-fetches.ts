import { createStore } from 'zustand/vanilla';
import type { Fetch } from '../api/requests/types.ts';

/** How long an event may say more than the page of the list that came after it; each change of a state makes the list be read again. */
const freshFor = 30_000;
/** Events are gathered for so long: pausing ten thousand at once is one step of the screen. */
const gatherFor = 100;

export interface LiveFetch {
  readonly fetch: Fetch;
  /** When it was heard of, in milliseconds since 1970. */
  readonly at: number;
}

export type LiveFetches = ReturnType<typeof createLiveFetches>;

/**
 * What `fetch` events have told lately, by id. Rows look only for their own, so that one that moves on four times a second does not draw the others
 * again.
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
    /** Takes an event; answers whether its state is another than the one that was heard of before. */
    put(fetch: Fetch): boolean {
      const before = (gathered.get(fetch.id) ?? store.getState().byId.get(fetch.id))?.fetch;
      gathered.set(fetch.id, { fetch, at: Date.now() });
      timer ??= setTimeout(flush, gatherFor);
      return before !== undefined && (before.state !== fetch.state || before.reason !== fetch.reason);
    },
    /** Whether an event told of it lately. */
    knows: (id: number): boolean => gathered.has(id) || store.getState().byId.has(id),
    /** What an event told of it lately. */
    latest: (id: number): Fetch | undefined => (gathered.get(id) ?? store.getState().byId.get(id))?.fetch,
    /** After a gap of the events nothing that was heard counts any more. */
    forget(): void {
      gathered.clear();
      store.setState({ byId: new Map() });
    },
  };
}

/** The newer of what the list said and what an event has said. */
export function newest(listed: Fetch, listedAt: number, live: LiveFetch | undefined): Fetch {
  return live !== undefined && live.at > listedAt ? live.fetch : listed;
}
