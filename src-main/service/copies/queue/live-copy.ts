import type { Clock } from '../../fetching/queue/clock.ts';
import { RateMeter } from '../../fetching/queue/rate-meter.ts';
import type { CopyRow } from '../store/copy-row.ts';
import type { CopiesStore } from '../store/copies-store.ts';
import type { RunProgress } from './run-copy.ts';

const storeEveryMs = 2000;

interface LiveCopyDeps {
  readonly clock: Clock;
  readonly copies: Pick<CopiesStore, 'progress'>;
  onMoved(): void;
}

/** A copy that is being sent, and how far it is. */
export class LiveCopy implements RunProgress {
  readonly row: CopyRow;
  readonly stop = new AbortController();
  ended: Promise<void> = Promise.resolve();
  readonly #deps: LiveCopyDeps;
  readonly #meter: RateMeter;
  #first: number | null = null;
  #bytesDone: number;
  #address: string | null;
  #storedAt = -storeEveryMs;
  #storing: Promise<void> = Promise.resolve();

  constructor(row: CopyRow, deps: LiveCopyDeps) {
    this.row = row;
    this.#deps = deps;
    this.#meter = new RateMeter(deps.clock.steady());
    [this.#bytesDone, this.#address] = [row.bytes_done, row.upload_url];
  }

  get bytesDone(): number {
    return this.#bytesDone;
  }

  get bytesPerSecond(): number {
    return this.#meter.bytesPerSecond(this.#deps.clock.steady());
  }

  /** Whether the server has got new bytes in this run. */
  get hasMoved(): boolean {
    return this.#meter.bytes > 0;
  }

  sent(bytesDone: number, address: string | null): void {
    const steady = this.#deps.clock.steady();
    this.#first ??= bytesDone;
    this.#bytesDone = bytesDone;
    this.#meter.take(steady, Math.max(0, bytesDone - this.#first));
    if (address !== this.#address || steady - this.#storedAt >= storeEveryMs) {
      [this.#address, this.#storedAt] = [address, steady];
      void this.store();
    }
    this.#deps.onMoved();
  }

  /** Stores how far it is. What fails is stored with the next progress, and read from the server anyway. */
  async store(): Promise<void> {
    const write = async (): Promise<void> => this.#deps.copies.progress(this.row.id, this.#bytesDone, this.#address);
    this.#storing = this.#storing.then(write).catch(() => undefined);
    return this.#storing;
  }
}
