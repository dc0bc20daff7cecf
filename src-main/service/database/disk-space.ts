import type { Logger } from 'pino';
import { formatBytes } from '../common/format-bytes.ts';
import type { Events } from '../common/events.ts';
import { freeBytes, minFreeBytes } from '../common/free-bytes.ts';
import { HttpProblem } from '../common/problem.ts';

export interface DiskSpaceDeps {
  /** A folder on the watched disk. */
  readonly folder: string;
  /** Bytes that rows can still take within the database's file. */
  readonly retention: { reusableBytes(): Promise<number> };
  readonly events: Events;
  readonly log: Logger;
}

const checkEveryMs = 5000;
// Recovery requires a little more than the minimum, so that a temporary file does not switch the
// state back and forth.
const recoveryFactor = 1.1;

/**
 * Watches the free space on the disk of the data. Below the minimum, writes that grow the data are
 * refused, so that serving continues, and signing in and revoking still find the few pages that
 * they need. Ends by itself when there is space again.
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
    return minFreeBytes;
  }

  /** Whether there was too little space at the last check. */
  get low(): boolean {
    return this.#low;
  }

  /**
   * Whether there was too little space for rows, which may also use pages freed in the database's
   * file.
   */
  get lowForRows(): boolean {
    return this.#lowForRows;
  }

  /**
   * Measures the free space now.
   *
   * @throws HttpProblem 507 that names the refused operation.
   */
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
    const free = await freeBytes(this.#deps.folder);
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

  /**
   * Starts checking regularly.
   *
   * @returns a function that stops it.
   */
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
