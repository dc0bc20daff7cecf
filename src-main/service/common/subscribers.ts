/** Listeners of one kind of occurrence. */
export class Subscribers<Value> {
  readonly #listeners = new Set<(value: Value) => void>();

  /** @returns a function that ends the subscription. */
  add(listener: (value: Value) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(value: Value): void {
    for (const listener of this.#listeners) listener(value);
  }
}
