import { ShortLived } from '../../short-lived/short-lived.ts';
import type { ShortLivedStore } from '../../short-lived/short-lived-store.ts';

/** State of an assembly, with the names of Sentry's interface. */
export interface AssemblyState {
  readonly state: 'not_found' | 'assembling' | 'ok' | 'error';
  readonly missingChunks: readonly string[];
  readonly detail: string | null;
}

export const assembling: AssemblyState = { state: 'assembling', missingChunks: [], detail: null };

/** States of assemblies in rows, because senders may ask another replica than the one that assembles. */
export interface AssemblyStates {
  readonly peek: (key: string) => Promise<AssemblyState | null>;
  readonly put: (key: string, userId: number, state: AssemblyState) => Promise<void>;
  readonly remove: (key: string) => Promise<void>;
  /**
   * Says that a bundle is being assembled, until the returned function is called or this process
   * has been dead for half a minute.
   */
  readonly claim: (key: string, userId: number) => Promise<() => Promise<void>>;
}

const claimMs = 30_000;
const renewEveryMs = 10_000;
const rememberedMs = 10 * 60_000;

/** @param onError told that a claim could not be renewed. */
export function assemblyStates(store: ShortLivedStore, onError: (error: unknown) => void): AssemblyStates {
  const rows = new ShortLived<AssemblyState>(store, { kind: 'assembly', maxEntries: 10_000, maxPerOwner: 100 });
  return {
    peek: async (key) => rows.peek(key),
    put: async (key, userId, state) => rows.put(key, userId, state, Date.now() + rememberedMs),
    remove: async (key) => void (await rows.take(key)),
    claim: async (key, userId) => {
      const renew = async () => rows.put(key, userId, assembling, Date.now() + claimMs);
      await renew();
      let renewed = Promise.resolve();
      const timer = setInterval(() => {
        renewed = renew().catch(onError);
      }, renewEveryMs);
      return async () => {
        clearInterval(timer);
        await renewed;
      };
    },
  };
}
