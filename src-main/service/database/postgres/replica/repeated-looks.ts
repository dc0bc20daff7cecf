const pollMs = 500;

/**
 * Looks each half second, and at once when asked, one look at a time. The first of several failures
 * in a row is told: during an outage they would fill the log.
 */
export class RepeatedLooks {
  readonly #look: () => Promise<void>;
  readonly #onError: (error: unknown, message: string) => void;
  #looking: Promise<void> | null = null;
  /** The look after the running one, for all who asked meanwhile. */
  #next: Promise<void> | null = null;
  #failing = false;
  #timer: NodeJS.Timeout | null = null;
  #ended = false;

  constructor(look: () => Promise<void>, onError: (error: unknown, message: string) => void) {
    this.#look = look;
    this.#onError = onError;
  }

  begin(): void {
    this.#timer = setTimeout(() => void this.#poll(), pollMs);
  }

  /** Resolves after a look that began after the call, at most the second from now; failures are only told. */
  async now(): Promise<void> {
    if (this.#looking === null) {
      this.#looking = this.#lookOnce().finally(() => {
        this.#looking = null;
      });
      return this.#looking;
    }
    // The look that already runs may have missed the change.
    this.#next ??= this.#looking.then(async () => {
      this.#next = null;
      return this.now();
    });
    return this.#next;
  }

  async end(): Promise<void> {
    this.#ended = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await (this.#next ?? this.#looking);
  }

  async #lookOnce(): Promise<void> {
    if (this.#ended) return;
    try {
      await this.#look();
      this.#failing = false;
    } catch (error) {
      if (!this.#ended && !this.#failing) this.#onError(error, 'the database does not say whether access changed');
      this.#failing = true;
    }
  }

  async #poll(): Promise<void> {
    await this.now();
    if (!this.#ended) this.begin();
  }
}
