import type { Logger } from 'pino';
import { announce, type Announced, type Announcement } from './announce.ts';

interface Deps {
  readonly version: string;
  readonly log: Logger;
  /** Called once the name is known. */
  readonly onTold: () => void;
}

/** The name under which this service is told on the network, from the wish for one until it is taken back. */
export class NameOnNetwork {
  readonly #deps: Deps;
  #running: AbortController | null = null;
  #announcement: Announcement | null = null;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Null until the network has been asked whether the name is free. */
  get name(): string | null {
    return this.#announcement?.name ?? null;
  }

  /** Begins to tell it, unless that has begun. Where the network takes no multicast, sharing goes on without a name. */
  tell(what: Omit<Announced, 'version'>): void {
    if (this.#running) return;
    const running = new AbortController();
    this.#running = running;
    const { version, log, onTold } = this.#deps;
    announce({ ...what, version }, log, running.signal).then(
      async (announcement) => {
        if (running.signal.aborted) return announcement.end();
        this.#announcement = announcement;
        onTold();
      },
      (error: unknown) => {
        if (!running.signal.aborted) log.warn({ err: error }, 'the name could not be announced on the network');
      },
    );
  }

  async takeBack(): Promise<void> {
    this.#running?.abort();
    this.#running = null;
    const announcement = this.#announcement;
    this.#announcement = null;
    await announcement?.end();
  }
}
