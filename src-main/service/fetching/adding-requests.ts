import { LRUCache } from 'lru-cache';
import { HttpProblem } from '../common/problem.ts';

const maxRemembered = 1000;
const defaultRememberedMs = 60_000;

/**
 * The requests that add many fetches, by the keys that clients chose. A cancel may overtake its
 * request, because they take different connections: it is remembered for a minute.
 */
export class AddingRequests {
  readonly #running = new Map<string, AbortController>();
  readonly #past: LRUCache<string, 'ended' | 'cancelled'>;

  constructor(rememberedMs = defaultRememberedMs) {
    this.#past = new LRUCache({ max: maxRemembered, ttl: rememberedMs });
  }

  /**
   * @returns aborted when the request is cancelled.
   * @throws HttpProblem 409 when a request with this key is running.
   */
  begin(key: string): AbortSignal {
    if (this.#running.has(key))
      throw new HttpProblem(409, 'Another request is already adding fetches with this key.', { type: 'key-in-use' });
    const cancel = new AbortController();
    if (this.#past.get(key) === 'cancelled') cancel.abort();
    this.#running.set(key, cancel);
    return cancel.signal;
  }

  end(key: string): void {
    this.#running.delete(key);
    this.#past.set(key, 'ended');
  }

  /** @throws HttpProblem 404 when the request with this key has ended. */
  cancel(key: string): void {
    const running = this.#running.get(key);
    if (running) return running.abort();
    if (this.#past.get(key) === 'ended')
      throw new HttpProblem(404, 'No fetches are being added with this key. They may all be in the list already.');
    this.#past.set(key, 'cancelled');
  }
}
