import type { IncomingEvent } from '../../contract/events.ts';
import type { Clock } from './clock.ts';
import type { BytesLeft } from '../store/fetches-store.ts';
import type { LiveFetch } from './live-fetch.ts';
import { RateMeter } from './rate-meter.ts';

/** After this long without an update nothing ran; a mean over the gap would be far too low. */
const restartAfterMs = 8000;

/**
 * The total download rate, announced while fetches run and once when they stop. Bytes are measured
 * over all fetches, because a small one may start and end between two updates and has no rate of
 * its own.
 */
export class DownloadTotals {
  readonly #live: ReadonlyMap<number, LiveFetch>;
  readonly #clock: Pick<Clock, 'steady'>;
  readonly #tell: (event: IncomingEvent) => void;
  #meter: RateMeter;
  #updatedAt: number;
  /** Bytes of finished runs since the meter started. */
  #endedBytes = 0;
  /** Bytes that runs had received when the meter started. */
  #initialBytes = 0;
  #isTold = false;

  constructor(
    live: ReadonlyMap<number, LiveFetch>,
    clock: Pick<Clock, 'steady'>,
    setLeft: (event: IncomingEvent) => void,
  ) {
    [this.#live, this.#clock, this.#tell] = [live, clock, setLeft];
    this.#updatedAt = clock.steady();
    this.#meter = new RateMeter(this.#updatedAt);
  }

  /** Takes a sample; call it several times a second while fetches run. */
  update(): void {
    const now = this.#clock.steady();
    let running = 0;
    for (const { progress } of this.#live.values()) running += progress.bytesReceived;
    if (now - this.#updatedAt >= restartAfterMs) {
      [this.#meter, this.#endedBytes, this.#initialBytes] = [new RateMeter(now), 0, running];
    }
    this.#updatedAt = now;
    this.#meter.take(now, this.#endedBytes + running - this.#initialBytes);
  }

  /** Adds the total bytes of a finished run. */
  ended(bytes: number): void {
    this.#endedBytes += bytes;
  }

  /** @param queued bytes left of the queued and waiting fetches */
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

/** Adds the remaining bytes of running fetches. A verification receives nothing. */
function leftOf(live: Iterable<LiveFetch>, queued: BytesLeft): BytesLeft {
  let { bytes, unsized } = queued;
  for (const { verifying, bytesTotal, progress } of live) {
    if (verifying) continue;
    if (bytesTotal === null) unsized += 1;
    else bytes += Math.max(0, bytesTotal - progress.bytesDone);
  }
  return { bytes, unsized };
}
