import { putBounded } from '../common/bounded-map.ts';
import type { ChangeCounter } from './change-counter.ts';

/** Answers from the database, kept until anything that could change them changes, in this process or in another one (see ChangeCounter). */
export class QueryCache<Value> {
  readonly #changes: ChangeCounter;
  readonly #capacity: number;
  readonly #entries = new Map<string, Value>();
  #keptAt: number;

  /** @param capacity beyond it the oldest answer goes. */
  constructor(changes: ChangeCounter, capacity: number) {
    this.#changes = changes;
    this.#capacity = capacity;
    this.#keptAt = changes.current();
  }

  get(key: string): Value | undefined {
    this.#forgetWhatChanged();
    return this.#entries.get(key);
  }

  /** The kept answer, or the one that is looked up now; null is not kept: anybody can ask for any number of things that are not there. */
  async find(key: string, lookUp: () => Promise<Value | null>): Promise<Value | null> {
    const kept = this.get(key);
    if (kept !== undefined) return kept;
    const generation = this.#keptAt;
    const found = await lookUp();
    // What was read before a change may not be kept after it.
    if (found !== null && this.#changes.current() === generation) putBounded(this.#entries, this.#capacity, key, found);
    return found;
  }

  #forgetWhatChanged(): void {
    const generation = this.#changes.current();
    if (generation === this.#keptAt) return;
    this.#entries.clear();
    this.#keptAt = generation;
  }
}
