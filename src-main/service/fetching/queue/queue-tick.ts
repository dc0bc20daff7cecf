import { untroubled } from './after-run.ts';
import type { TickHandlers } from './ticker.ts';
import { isOpen } from './fetch-hours.ts';
import type { DownloadTotals } from './download-totals.ts';
import { stopLive } from './live-fetch.ts';
import type { QueueContext } from './queue-context.ts';
import { watchDiskSpace } from './watch-disk-space.ts';

const diskCheckEveryMs = 5000;

/** Periodic work of the queue while fetches run or wait. */
export class QueueTick implements TickHandlers {
  /** Whether the schedule allowed fetches at the last check. */
  wasOpen = true;
  readonly #context: QueueContext;
  readonly #totals: DownloadTotals;
  #disksCheckedAt = 0;
  #isChecking = false;

  constructor(context: QueueContext, totals: DownloadTotals) {
    [this.#context, this.#totals] = [context, totals];
  }

  onQuickTick(): void {
    const { live, clock, announce } = this.#context;
    for (const [id, one] of live) {
      const { bytesReceived, bytesVerified, filesDone } = one.progress;
      one.progress = one.run.progress();
      one.meter.take(clock.steady(), one.progress.bytesReceived);
      const hasMoved =
        one.progress.bytesReceived !== bytesReceived ||
        one.progress.bytesVerified !== bytesVerified ||
        one.progress.filesDone !== filesDone;
      if (hasMoved) announce.moved(id);
    }
    this.#totals.update();
  }

  onSecondTick(): void {
    const { live, clock, announce, retryTimers, backoffs, settings, wake, log, fetches } = this.#context;
    const steady = clock.steady();
    // Rates fall and stalls begin without any progress.
    for (const [id, one] of live) {
      one.rate = one.meter.bytesPerSecond(steady);
      announce.moved(id);
    }
    void fetches
      .left()
      .then((left) => this.#totals.setLeft(left))
      .catch((error: unknown) => log.error({ err: error }, 'the remaining bytes of the queue could not be added up'));
    if (
      retryTimers.isDue(steady) ||
      backoffs.release(steady) ||
      isOpen(settings().schedule, clock.now()) !== this.wasOpen
    )
      wake();
    // A disk may respond slowly; never run two checks at once.
    if (this.#isChecking) return;
    this.#isChecking = true;
    void this.#checkDisks(steady)
      .catch((error: unknown) => log.error({ err: error }, 'the free space of the disks could not be read'))
      .finally(() => (this.#isChecking = false));
  }

  onWake(): void {
    const { live, clock, retryTimers, backoffs, wake } = this.#context;
    retryTimers.onWake(clock.steady(), clock.now());
    backoffs.onWake(clock.steady(), clock.now());
    // Connections from before a sleep are dead, although no error reports it.
    for (const one of live.values())
      if (one.stopAs === null && !one.verifying) stopLive(one, { event: 'stop', update: untroubled });
    wake();
  }

  /** Announces and starts fetches that no longer wait for the user. @param changed their number */
  unblocked(changed: number): void {
    if (changed === 0) return;
    this.#context.announce.changed(null);
    this.#context.wake();
  }

  async #checkDisks(steady: number): Promise<void> {
    const { serial, blocked } = this.#context;
    await watchDiskSpace(this.#context);
    if (steady - this.#disksCheckedAt < diskCheckEveryMs) return;
    this.#disksCheckedAt = steady;
    await serial.run(async () => this.unblocked(await blocked.disksChanged()));
  }
}
