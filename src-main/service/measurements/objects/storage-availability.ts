import type { Logger } from 'pino';
import { ObjectStorageError } from '../../object-storage/object-storage.ts';

/**
 * Knows whether the object storage answers. While it does not, one request at a time finds out
 * whether it does again, and all others wait for its outcome, instead of each for the same silence
 * one after the other.
 */
export class StorageAvailability {
  readonly #log: Pick<Logger, 'warn' | 'info'>;
  #isAway = false;
  /** Whether the storage answered the request that finds out. */
  #probe: Promise<boolean> | null = null;

  constructor(log: Pick<Logger, 'warn' | 'info'>) {
    this.#log = log;
  }

  /** @throws the error of `read`, or ObjectStorageError when another request found the storage away. */
  async during(read: () => Promise<void>): Promise<void> {
    if (this.#probe && !(await this.#probe))
      throw new ObjectStorageError('unreachable', 'The object storage does not answer at the moment.');
    const reading = this.#watched(read);
    if (this.#isAway) {
      this.#probe = reading.then(
        () => true,
        () => !this.#isAway,
      );
      void this.#probe.then(() => (this.#probe = null));
    }
    return reading;
  }

  async #watched(read: () => Promise<void>): Promise<void> {
    try {
      await read();
      if (this.#isAway) this.#log.info('the object storage answers again');
      this.#isAway = false;
    } catch (error) {
      if (error instanceof ObjectStorageError) this.#note(error);
      throw error;
    }
  }

  /** Said once, and not with each request. */
  #note(error: ObjectStorageError): void {
    const isAway = error.failure === 'unreachable';
    if (!isAway) this.#log.warn({ err: error }, 'the object storage refused a request');
    else if (!this.#isAway) this.#log.warn({ err: error }, 'the object storage does not answer');
    this.#isAway = isAway;
  }
}
