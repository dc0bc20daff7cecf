import type { Logger } from 'pino';
import { announce, type Announced, type Announcement } from './announce.ts';

interface Deps {
  readonly version: string;
  readonly log: Logger;
  /** Called after the name was announced. */
  readonly onAnnounced: () => void;
}

/** The announced name of this service, from the start of probing until it is withdrawn. */
export class NameOnNetwork {
  readonly #deps: Deps;
  #running: AbortController | null = null;
  #announcement: Announcement | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Null until the name was announced. */
  get name(): string | null {
    return this.#announcement?.name ?? null;
  }

  /**
   * Starts the announcement unless it was started. Without multicast, sharing continues without a
   * name.
   */
  start(what: Omit<Announced, 'version'>): void {
    if (this.#running) return;
    const running = new AbortController();
    this.#running = running;
    const { version, log, onAnnounced } = this.#deps;
    announce({ ...what, version }, log, running.signal).then(
      async (announcement) => {
        if (running.signal.aborted) return announcement.end();
        this.#announcement = announcement;
        onAnnounced();
      },
      (error: unknown) => {
        if (!running.signal.aborted) log.warn({ err: error }, 'the name could not be announced on the network');
      },
    );
  }

  async withdraw(): Promise<void> {
    this.#running?.abort();
    this.#running = null;
    const announcement = this.#announcement;
    this.#announcement = null;
    await announcement?.end();
  }
}
