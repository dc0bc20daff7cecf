import type { Logger } from 'pino';
import { formatBytes } from '../common/format-bytes.ts';
import type { Events } from '../common/events.ts';
import { freeBytes, leastFreeBytes } from '../common/free-bytes.ts';
import { HttpProblem } from '../common/problem.ts';

export interface DataRoomNeeds {
  readonly config: { readonly dataDir: string };
  /** Bytes that rows can still take within the database's file. */
  readonly retention: { roomInside(): Promise<number> };
  readonly events: Events;
  readonly log: Logger;
}

const lookEvery = 5000;
// After a shortage a little more is required, so that a file that comes and goes does not switch back and forth.
const enoughAgain = 1.1;

/**
 * Whether there is room on the disk of the data. Below the least of it what grows is refused, so that the rest goes on being served, and signing in and
 * revoking still find the few pages that they need. It goes on by itself when there is room.
 */
export class DataRoom {
  readonly #needs: DataRoomNeeds;
  #free = Number.POSITIVE_INFINITY;
  #low = false;
  #lowForRows = false;

  constructor(needs: DataRoomNeeds) {
    this.#needs = needs;
  }

  /** Bytes that are kept free. */
  get least(): number {
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
    await this.look();
    if (!this.#low) return;
    throw new HttpProblem(
      507,
      `${what}: ${formatBytes(this.#free)} is free on the disk of the data directory, and ${formatBytes(this.least)} is kept free. ${remedy}`,
      {
        type: 'disk-almost-full',
      },
    );
  }

  async look(): Promise<void> {
    const free = await freeBytes(this.#needs.config.dataDir);
    const least = this.#low ? this.least * enoughAgain : this.least;
    const low = free < least;
    this.#free = free;
    this.#lowForRows = low && free + (await this.#needs.retention.roomInside()) < least;
    if (low === this.#low) return;
    this.#low = low;
    if (low) this.#needs.log.warn({ free }, 'the disk of the data directory is almost full: writes that need space are refused');
    else this.#needs.log.info({ free }, 'there is room again on the disk of the data directory');
    this.#needs.events.emit('changed', { topic: 'service' });
  }

  /** Looks from time to time. @returns the function that ends it. */
  watch(): () => void {
    const begin = (): void => void this.look().catch((error: unknown) => this.#needs.log.warn({ err: error }, 'the free space of the disk could not be read'));
    begin();
    const timer = setInterval(begin, lookEvery);
    timer.unref();
    return () => clearInterval(timer);
  }
}

const remedy = 'Free some space; it then continues automatically.';
