import { LRUCache } from 'lru-cache';
import type { ChangeCounter } from './change-counter.ts';

/**
 * Caches answers from the database until anything that could change them changes, in this process
 * or in another one (see ChangeCounter).
 */
export class QueryCache<Value extends object | string | number> {
  readonly #changes: ChangeCounter;
  readonly #entries: LRUCache<string, Value>;
  #keptAt: number;

  /** @param capacity beyond it the least recently used answer is evicted. */
  constructor(changes: ChangeCounter, capacity: number) {
    this.#changes = changes;
    this.#entries = new LRUCache({ max: capacity });
    this.#keptAt = changes.current();
  }

  get(key: string): Value | undefined {
    this.#forgetWhatChanged();
    return this.#entries.get(key);
  }

  /**
   * The cached answer, or a new look-up. Null is not cached: a client could request any number of
   * things that do not exist.
   */
  async find(key: string, lookUp: () => Promise<Value | null>): Promise<Value | null> {
    const kept = this.get(key);
    if (kept !== undefined) return kept;
    const generation = this.#keptAt;
    const found = await lookUp();
    // An answer that was read before a change must not be cached after it.
    if (found !== null && this.#changes.current() === generation) this.#entries.set(key, found);
    return found;
  }

  #forgetWhatChanged(): void {
    const generation = this.#changes.current();
    if (generation === this.#keptAt) return;
    this.#entries.clear();
    this.#keptAt = generation;
  }
}
