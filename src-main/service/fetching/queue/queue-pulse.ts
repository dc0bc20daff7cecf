import { queuedAgain } from './after-run.ts';
import type { BeatWork } from './beat.ts';
import { isOpen } from './fetch-hours.ts';
import type { IncomingSum } from './incoming-sum.ts';
import { stopLive } from './live-fetch.ts';
import type { QueueParts } from './queue-parts.ts';
import { watchRoom } from './watch-room.ts';

const lookEvery = 5000;

/** What the queue looks after while something runs or waits. */
export class QueuePulse implements BeatWork {
  /** Whether the schedule let fetches run at the last look of the queue. */
  wasOpen = true;
  readonly #parts: QueueParts;
  readonly #incoming: IncomingSum;
  #lookedAt = 0;
  #looking = false;

  constructor(parts: QueueParts, incoming: IncomingSum) {
    [this.#parts, this.#incoming] = [parts, incoming];
  }

  quick(): void {
    const { live, clock, announce } = this.#parts;
    for (const [id, one] of live) {
      const { bytesReceived, bytesVerified, filesDone } = one.progress;
      one.progress = one.run.progress();
      one.meter.take(clock.steady(), one.progress.bytesReceived);
      const hasMoved = one.progress.bytesReceived !== bytesReceived || one.progress.bytesVerified !== bytesVerified || one.progress.filesDone !== filesDone;
      if (hasMoved) announce.moved(id);
    }
    this.#incoming.look();
  }

  second(): void {
    const { live, clock, announce, waits, holds, settings, wake, log, fetches } = this.#parts;
    const steady = clock.steady();
    // Rates fall, and a stalled one is stalled, without anything that moves.
    for (const [id, one] of live) {
      one.rate = one.meter.bytesPerSecond(steady);
      announce.moved(id);
    }
    void fetches
      .left()
      .then((left) => this.#incoming.tell(left))
      .catch((error: unknown) => log.error({ err: error }, 'the remaining bytes of the queue could not be added up'));
    if (waits.isDue(steady) || holds.release(steady) || isOpen(settings().schedule, clock.now()) !== this.wasOpen) wake();
    // A disk may take long to answer, and is not asked again before it has.
    if (this.#looking) return;
    this.#looking = true;
    void this.#look(steady)
      .catch((error: unknown) => log.error({ err: error }, 'the free space of the disks could not be read'))
      .finally(() => (this.#looking = false));
  }

  woken(): void {
    const { live, clock, waits, holds, wake } = this.#parts;
    waits.woken(clock.steady(), clock.now());
    holds.woken(clock.steady(), clock.now());
    // Connections that slept along are dead, though nobody has said so.
    for (const one of live.values()) if (one.stopAs === null && !one.verifying) stopLive(one, queuedAgain);
    wake();
  }

  /** Some that had asked the user go on. @param changed how many */
  goOn(changed: number): void {
    if (changed === 0) return;
    this.#parts.announce.changed(null);
    this.#parts.wake();
  }

  async #look(steady: number): Promise<void> {
    const { serial, askAgain } = this.#parts;
    await watchRoom(this.#parts);
    if (steady - this.#lookedAt < lookEvery) return;
    this.#lookedAt = steady;
    await serial.run(async () => this.goOn(await askAgain.disksChanged()));
  }
}
