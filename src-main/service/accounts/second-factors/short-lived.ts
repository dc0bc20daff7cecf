interface Entry<Value> {
  readonly value: Value;
  readonly until: number;
  readonly owner: number | null;
}

/** Keeps values in memory for a short while, each to be taken once. When there are too many, the oldest go. */
export class ShortLived<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #maxEntries: number;
  readonly #maxPerOwner: number;

  /** @param maxPerOwner how many may be one user's: a flood from one must not take away what others wait for. */
  constructor(maxEntries: number, maxPerOwner = maxEntries) {
    this.#maxEntries = maxEntries;
    this.#maxPerOwner = maxPerOwner;
  }

  /**
   * @param until milliseconds since 1970.
   * @param owner the user who waits for it, where each may have only so many.
   */
  put(key: string, value: Value, until: number, owner: number | null = null): void {
    this.#entries.delete(key);
    if (owner !== null) this.#makeRoomFor(owner);
    for (const [other, entry] of this.#entries) {
      // The oldest first; those that are still valid stay unless room is needed.
      if (entry.until > Date.now() && this.#entries.size < this.#maxEntries) break;
      this.#entries.delete(other);
    }
    this.#entries.set(key, { value, until, owner });
  }

  /** @returns the value, which stays; null when there is none any more. */
  look(key: string): Value | null {
    const entry = this.#entries.get(key);
    return entry && entry.until > Date.now() ? entry.value : null;
  }

  /** Removes the value. @returns it, or null when there is none any more. */
  take(key: string): Value | null {
    const value = this.look(key);
    this.#entries.delete(key);
    return value;
  }

  #makeRoomFor(owner: number): void {
    const own = [...this.#entries.keys()].filter((key) => this.#entries.get(key)?.owner === owner);
    if (own.length >= this.#maxPerOwner) this.#entries.delete(own[0] ?? '');
  }
}
