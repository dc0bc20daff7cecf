interface Entry<Value> {
  readonly value: Value;
  readonly until: number;
  readonly owner: number | null;
}

/** Holds values in memory until they expire or are taken; evicts the oldest when full. */
export class ShortLived<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #maxEntries: number;
  readonly #maxPerOwner: number;

  /**
   * @param maxPerOwner limit for one user, so that a flood by one user does not evict entries of
   * others.
   */
  constructor(maxEntries: number, maxPerOwner = maxEntries) {
    this.#maxEntries = maxEntries;
    this.#maxPerOwner = maxPerOwner;
  }

  /**
   * @param until expiry in milliseconds since 1970.
   * @param owner id of the user counted against `maxPerOwner`; null is not counted.
   */
  put(key: string, value: Value, until: number, owner: number | null = null): void {
    this.#entries.delete(key);
    if (owner !== null) this.#makeRoomFor(owner);
    for (const [other, entry] of this.#entries) {
      // Entries are in order of insertion; valid ones are evicted only when the map is full.
      if (entry.until > Date.now() && this.#entries.size < this.#maxEntries) break;
      this.#entries.delete(other);
    }
    this.#entries.set(key, { value, until, owner });
  }

  /** @returns the value without removing it; null when it is missing or expired. */
  peek(key: string): Value | null {
    const entry = this.#entries.get(key);
    return entry && entry.until > Date.now() ? entry.value : null;
  }

  /** Removes the value. @returns it, or null when it is missing or expired. */
  take(key: string): Value | null {
    const value = this.peek(key);
    this.#entries.delete(key);
    return value;
  }

  #makeRoomFor(owner: number): void {
    const own = [...this.#entries.keys()].filter((key) => this.#entries.get(key)?.owner === owner);
    if (own.length >= this.#maxPerOwner) this.#entries.delete(own[0] ?? '');
  }
}
