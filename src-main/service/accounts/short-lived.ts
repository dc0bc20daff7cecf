interface Entry<Value> {
  readonly value: Value;
  readonly until: number;
}

/** Keeps values in memory for a short while, each to be taken once. When there are too many, the oldest go. */
export class ShortLived<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** @param until milliseconds since 1970. */
  put(key: string, value: Value, until: number): void {
    this.#entries.delete(key);
    for (const [other, entry] of this.#entries) {
      // The oldest first; those that are still valid stay unless room is needed.
      if (entry.until > Date.now() && this.#entries.size < this.#most) break;
      this.#entries.delete(other);
    }
    this.#entries.set(key, { value, until });
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
}
