import type { Logger } from 'pino';
import { uptime } from 'node:os';
import type { SettingsStore } from './settings-store.ts';

export interface RetentionClockDeps {
  readonly settings: SettingsStore;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Milliseconds since 1970, by the machine's clock. */
  readonly wallMs?: () => number;
  /**
   * Milliseconds since the machine started, including sleep; setting the clock does not change
   * them.
   */
  readonly uptimeMs?: () => number;
}

const dayMs = 24 * 3600_000;
/** Maximum lead of the clock over the uptime while the service runs. */
const maxAheadMs = dayMs;
/** Maximum lead from one run of the service to the next: machines are switched off for holidays. */
const maxAwayMs = 14 * dayMs;
const storeEveryMs = 10 * 60_000;
const setting = 'retention_clock';

/**
 * The time by which rows are removed for their age. A clock that jumps ahead, as after a dead
 * battery or a mistyped date, would remove all of them at once, so its lead over the uptime is
 * ignored until an administrator confirms it, or the machine has run for that long.
 */
export class RetentionClock {
  readonly #deps: RetentionClockDeps;
  readonly #wallMs: () => number;
  readonly #uptimeMs: () => number;
  /** The uptime of the last reading; null before the first one of this run. */
  #lookedAt: number | null = null;
  #storedAt = Number.NEGATIVE_INFINITY;
  #trusted = 0;
  #aheadMs = 0;

  constructor(deps: RetentionClockDeps) {
    this.#deps = deps;
    this.#wallMs = deps.wallMs ?? Date.now;
    this.#uptimeMs = deps.uptimeMs ?? (() => uptime() * 1000);
  }

  /**
   * Whole days by which the clock has jumped ahead, so that nothing is removed for its age; 0 when
   * it has not.
   */
  get daysAhead(): number {
    return Math.floor(this.#aheadMs / dayMs);
  }

  /**
   * @returns the time that ages are computed with, in milliseconds since 1970; never later than the
   * machine's.
   */
  async now(): Promise<number> {
    const [wall, up] = [this.#wallMs(), this.#uptimeMs()];
    const stored = Number((await this.#deps.settings.get(setting)) ?? wall);
    const isFirst = this.#lookedAt === null;
    // Another process confirms the time by storing it.
    const before = isFirst ? stored : Math.max(this.#trusted, stored);
    const expected = before + (this.#lookedAt === null ? 0 : up - this.#lookedAt);
    const isPlausible = wall <= expected + (isFirst ? maxAwayMs : maxAheadMs);
    this.#lookedAt = up;
    this.#trusted = isPlausible ? Math.max(wall, expected) : expected;
    this.#tell(isPlausible ? 0 : wall - expected);
    if (isFirst || up - this.#storedAt >= storeEveryMs) {
      this.#storedAt = up;
      await this.#deps.settings.set(setting, String(Math.round(this.#trusted)));
    }
    return Math.floor(Math.min(wall, this.#trusted));
  }

  /** Accepts the machine's time, because an administrator has confirmed it. */
  async confirm(): Promise<void> {
    await confirmClock(this.#deps.settings, this.#wallMs());
    this.#trusted = this.#wallMs();
    this.#tell(0);
  }

  #tell(aheadMs: number): void {
    const isNew = aheadMs > 0 !== this.#aheadMs > 0;
    this.#aheadMs = aheadMs;
    if (!isNew) return;
    if (aheadMs > 0)
      this.#deps.log.warn(
        { days: this.daysAhead },
        'the clock of this machine has jumped ahead: nothing is removed for its age until it is confirmed',
      );
    else this.#deps.log.info('the clock of this machine is right again or was confirmed');
  }
}

/** Stores a confirmed time, for the service that runs or will run. */
export async function confirmClock(settings: SettingsStore, wallMs: number): Promise<void> {
  await settings.set(setting, String(Math.round(wallMs)));
}
