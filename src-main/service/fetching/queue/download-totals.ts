import type { IncomingEvent } from '../../contract/events.ts';
import type { Clock } from './clock.ts';
import type { BytesLeft } from '../store/fetches-store.ts';
import type { LiveFetch } from './live-fetch.ts';
import { RateMeter } from './rate-meter.ts';

/** After so long without a look, nothing ran: a mean over that time would be far too low for what begins now. */
const restartAfterMs = 8000;

/**
 * What comes in all, told while something runs; that nothing comes any more is told once. Bytes are metered over all fetches together: a small one begins
 * and ends between two looks, and has no rate of its own.
 */
export class DownloadTotals {
  readonly #live: ReadonlyMap<number, LiveFetch>;
  readonly #clock: Pick<Clock, 'steady'>;
  readonly #tell: (event: IncomingEvent) => void;
  #meter: RateMeter;
  #lookedAt: number;
  /** Bytes of runs that are over, since the meter began. */
  #over = 0;
  /** Bytes that runs had received when the meter began. */
  #before = 0;
  #isTold = false;

  constructor(
    live: ReadonlyMap<number, LiveFetch>,
    clock: Pick<Clock, 'steady'>,
    setLeft: (event: IncomingEvent) => void,
  ) {
    [this.#live, this.#clock, this.#tell] = [live, clock, setLeft];
    this.#lookedAt = clock.steady();
    this.#meter = new RateMeter(this.#lookedAt);
  }

  /** Measures; to be called several times a second while something runs. */
  update(): void {
    const now = this.#clock.steady();
    let running = 0;
    for (const { progress } of this.#live.values()) running += progress.bytesReceived;
    if (now - this.#lookedAt >= restartAfterMs) {
      [this.#meter, this.#over, this.#before] = [new RateMeter(now), 0, running];
    }
    this.#lookedAt = now;
    this.#meter.take(now, this.#over + running - this.#before);
  }

  /** A run is over, which has received so many bytes in all. */
  ended(bytes: number): void {
    this.#over += bytes;
  }

  /** @param queued what is left of those that wait for their turn */
  setLeft(queued: BytesLeft): void {
    const running = this.#live.size;
    if (running === 0 && !this.#isTold) return;
    this.#isTold = running > 0;
    const rate = running === 0 ? 0 : this.#meter.bytesPerSecond(this.#clock.steady());
    const { bytes, unsized } = leftOf(this.#live.values(), queued);
    this.#tell({
      down_bytes_per_second: rate,
      running,
      seconds_left: bytes > 0 && rate > 0 ? Math.ceil(bytes / rate) : null,
      unknown_sizes: unsized,
    });
  }
}

/** With what the running ones have still to receive; reading once more takes nothing from the network. */
function leftOf(live: Iterable<LiveFetch>, queued: BytesLeft): BytesLeft {
  let { bytes, unsized } = queued;
  for (const { verifying, bytesTotal, progress } of live) {
    if (verifying) continue;
    if (bytesTotal === null) unsized += 1;
    else bytes += Math.max(0, bytesTotal - progress.bytesDone);
  }
  return { bytes, unsized };
}
