import type { Logger } from 'pino';
import { formatBytes } from '../common/format-bytes.ts';
import type { Events } from '../common/events.ts';
import { freeBytes, leastFreeBytes } from '../common/free-bytes.ts';
import { HttpProblem } from '../common/problem.ts';

export interface DiskSpaceDeps {
  readonly config: { readonly dataDir: string };
  /** Bytes that rows can still take within the database's file. */
  readonly retention: { reusableBytes(): Promise<number> };
  readonly events: Events;
  readonly log: Logger;
}

const checkEveryMs = 5000;
// After a shortage a little more is required, so that a file that comes and goes does not switch back and forth.
const recoveryFactor = 1.1;

/**
 * Whether there is room on the disk of the data. Below the least of it what grows is refused, so that the rest goes on being served, and signing in and
 * revoking still find the few pages that they need. It goes on by itself when there is room.
 */
export class DiskSpaceMonitor {
  readonly #deps: DiskSpaceDeps;
  #free = Number.POSITIVE_INFINITY;
  #low = false;
  #lowForRows = false;

  constructor(deps: DiskSpaceDeps) {
    this.#deps = deps;
  }

  /** Bytes that are kept free. */
  get minFreeBytes(): number {
    return leastFreeBytes;
  }

  /** Whether there was too little room a moment ago. */
  get low(): boolean {
    return this.#low;
  }

  /** The same for rows, which also find room where others were removed. */
  get lowForRows(): boolean {
    return this.#lowForRows;
  }

  /** @throws HttpProblem 507 that says what is not done; asks the disk itself. */
  async require(what: string): Promise<void> {
    await this.check();
    if (!this.#low) return;
    throw new HttpProblem(
      507,
      `${what}: ${formatBytes(this.#free)} is free on the disk of the data directory, and ${formatBytes(this.minFreeBytes)} is kept free. ${remedy}`,
      {
        type: 'disk-almost-full',
      },
    );
  }

  async check(): Promise<void> {
    const free = await freeBytes(this.#deps.config.dataDir);
    const threshold = this.#low ? this.minFreeBytes * recoveryFactor : this.minFreeBytes;
    const low = free < threshold;
    this.#free = free;
    this.#lowForRows = low && free + (await this.#deps.retention.reusableBytes()) < threshold;
    if (low === this.#low) return;
    this.#low = low;
    if (low)
      this.#deps.log.warn(
        { free },
        'the disk of the data directory is almost full: writes that need space are refused',
      );
    else this.#deps.log.info({ free }, 'there is room again on the disk of the data directory');
    this.#deps.events.emit('changed', { topic: 'service' });
  }

  /** Looks from time to time. @returns the function that ends it. */
  watch(): () => void {
    const begin = (): void =>
      void this.check().catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, 'the free space of the disk could not be read'),
      );
    begin();
    const timer = setInterval(begin, checkEveryMs);
    timer.unref();
    return () => clearInterval(timer);
  }
}

const remedy = 'Free some space; it then continues automatically.';
