import type { Logger } from 'pino';
import { Serial } from '../../common/serial.ts';
import type { CopyAction, CopySettings } from '../../contract/copies/copies.ts';
import type { Events } from '../../common/events.ts';
import type { SettingsStore } from '../../database/settings-store.ts';
import type { Clock } from '../../fetching/queue/clock.ts';
import { isOpen } from '../../fetching/queue/fetch-hours.ts';
import { ServerBackoff } from '../../fetching/queue/server-backoff.ts';
import { throttle } from '../../../../src-shared/throttle.ts';
import type { NewCopy } from '../store/copy-row.ts';
import { CopyChecks } from './copy-checks.ts';
import { readCopySettings, writeCopySettings } from './copy-settings.ts';
import { discardCancelled } from './discard-cancelled.ts';
import { LiveCopy } from './live-copy.ts';
import { RateLimit } from './rate-limit.ts';
import { runCopy, type CopyRunEnd, type RunDeps } from './run-copy.ts';
import { ServerAccesses } from './server-accesses.ts';
import { settleCopy } from './settle-copy.ts';

export type CopyQueueDeps = Omit<RunDeps, 'rateLimit'> & {
  readonly settings: SettingsStore;
  readonly events: Events;
  readonly log: Logger;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
};

/** How often a queue looks for what commands have added, and for what is due. */
const passEveryMs = 1000;
const announceEveryMs = 1000;
const stopTimeoutMs = 8000;

/** Decides which copies are sent, and has those that were sent checked again. */
export class CopyQueue {
  readonly backoffs = new ServerBackoff();
  readonly live = new Map<number, LiveCopy>();
  readonly #deps: RunDeps & CopyQueueDeps;
  readonly #checks: CopyChecks;
  readonly #accesses: ServerAccesses;
  readonly #serial = new Serial();
  readonly #announce: () => void;
  readonly #unsubscribe: () => void;
  #settings: CopySettings | null = null;
  #cancelTimer: (() => void) | null = null;
  readonly #stopping = new AbortController();
  #discarding: Promise<void> | null = null;
  #isWoken = false;
  #isStopping = false;

  constructor(deps: CopyQueueDeps) {
    this.#deps = { ...deps, rateLimit: new RateLimit() };
    this.#announce = throttle(announceEveryMs, () => deps.events.emit('changed', { topic: 'copies' }));
    this.#checks = new CopyChecks(this.#deps, (measurementId) => {
      this.#announce();
      if (measurementId !== null) this.#countChanged(measurementId);
    });
    this.#accesses = new ServerAccesses(deps);
    this.#unsubscribe = deps.events.subscribe((name, event) => {
      if (name === 'changed' && 'topic' in event && event.topic === 'servers') void this.#serversChanged();
    });
  }

  /** Goes on where the previous run of the service stopped. */
  async start(): Promise<void> {
    this.#settings = await readCopySettings(this.#deps.settings);
    this.#deps.rateLimit.set(this.#settings.speed_limit);
    await this.#accesses.changed();
    this.wake();
  }

  /** Stops all runs; they go on at the next start. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopping.abort();
    this.#unsubscribe();
    this.#cancelTimer?.();
    await this.#serial.settled();
    for (const one of this.live.values()) one.stop.abort();
    const ended = Promise.all([
      this.#checks.stop(),
      this.#discarding,
      ...[...this.live.values()].map(async (one) => one.ended),
    ]);
    // A hung disk must not block the shutdown.
    await Promise.race([ended, new Promise<void>((resolve) => this.#deps.clock.after(stopTimeoutMs, resolve))]);
  }

  get settings(): CopySettings {
    if (!this.#settings) throw new Error('the queue was not started');
    return this.#settings;
  }

  async setSettings(wanted: CopySettings): Promise<void> {
    await writeCopySettings(this.#deps.settings, wanted);
    this.#settings = wanted;
    this.#deps.rateLimit.set(wanted.speed_limit);
    this.#changed();
  }

  /** Whether copies are sent at this hour. */
  get isOpen(): boolean {
    return isOpen(this.settings.schedule, this.#deps.clock.now());
  }

  /** @returns how many were added; the others are there or on their way. */
  async add(copies: readonly NewCopy[]): Promise<number> {
    const added = await this.#deps.copies.add(copies, this.#deps.clock.now());
    this.#changed();
    return added;
  }

  /** @returns the number of copies that the action changed. */
  async act(action: CopyAction, ids: readonly number[] | 'all'): Promise<number> {
    const { copies, clock } = this.#deps;
    if (action === 'resume' || action === 'retry') this.backoffs.clear();
    const changed =
      action === 'remove'
        ? await copies.remove(ids)
        : action === 'check'
          ? await copies.checkSoon(ids, clock.now())
          : await copies.applyToAll(action, ids, clock.now());
    this.#changed();
    return changed;
  }

  /** Looks at once for what can be sent. */
  wake(): void {
    if (this.#isWoken || this.#isStopping) return;
    this.#isWoken = true;
    void this.#serial
      .run(async () => {
        this.#isWoken = false;
        if (!this.#isStopping) await this.#pass();
      })
      .catch((error: unknown) => this.#deps.log.error({ err: error }, 'the queue of copies has stopped for now'))
      .finally(() => {
        this.#cancelTimer?.();
        if (!this.#isStopping) this.#cancelTimer = this.#deps.clock.after(passEveryMs, () => this.wake());
      });
  }

  #changed(): void {
    this.#announce();
    this.wake();
  }

  /** Lists of measurements say how many verified copies each has. */
  #countChanged(measurementId: string): void {
    this.#deps.events.emit('changed', { topic: 'measurements', id: measurementId });
  }

  async #pass(): Promise<void> {
    const { copies, clock } = this.#deps;
    const sending = new Set(await copies.sending());
    for (const id of sending)
      // Left by a process that was killed, or what could not be stored.
      if (!this.live.has(id)) await copies.apply(id, 'stop', {}, clock.now());
    for (const [id, one] of this.live) if (!this.isOpen || !sending.has(id)) one.stop.abort();
    if ((await copies.due(clock.now())) > 0) this.#announce();
    if (this.isOpen) await this.#startNext();
    this.#checks.next();
    this.#discardCancelled();
  }

  /** Beside the queue, because a server may take long to answer. */
  #discardCancelled(): void {
    this.#discarding ??= discardCancelled(this.#deps, (id) => this.live.has(id), this.#stopping.signal)
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'cancelled copies were not removed from servers'))
      .finally(() => {
        this.#discarding = null;
      });
  }

  async #startNext(): Promise<void> {
    const { copies, clock } = this.#deps;
    const free = this.settings.at_most - this.live.size;
    if (free <= 0) return;
    const held = new Set(this.backoffs.held(clock.steady()));
    const servers = (await copies.queuedServers()).filter((baseUrl) => !held.has(baseUrl));
    const rows = (
      await Promise.all(servers.map(async (baseUrl) => copies.queued(baseUrl, this.settings.at_most)))
    ).flat();
    const next = rows.filter(({ id }) => !this.live.has(id)).toSorted((a, b) => a.id - b.id);
    for (const row of next.slice(0, free)) {
      const isStarted = await copies.apply(row.id, 'start', { attempts: row.attempts }, clock.now());
      if (isStarted) this.#run(new LiveCopy(row, { clock, copies, onMoved: this.#announce }));
    }
    if (next.length > 0) this.#announce();
  }

  #run(one: LiveCopy): void {
    const { id } = one.row;
    this.live.set(id, one);
    one.ended = runCopy(this.#deps, one.row, one.stop.signal, one)
      .catch((error: unknown): CopyRunEnd => {
        this.#deps.log.error({ err: error, copy: id }, 'a copy failed unexpectedly');
        const message = 'Something failed unexpectedly. The log has the details.';
        return { kind: 'wait', reason: 'unexpected', message, retryAfterMs: null };
      })
      .then(async (end) => {
        await one.store();
        await settleCopy({ ...this.#deps, backoffs: this.backoffs }, one, end);
        if (end.kind === 'verified') this.#countChanged(one.row.measurement_id);
      })
      .catch((error: unknown) => this.#deps.log.error({ err: error, copy: id }, 'the end of a copy was not stored'))
      .finally(() => {
        this.live.delete(id);
        this.#changed();
      });
  }

  async #serversChanged(): Promise<void> {
    try {
      for (const baseUrl of await this.#accesses.changed()) await this.#deps.copies.unblock(baseUrl);
      this.#changed();
    } catch (error) {
      this.#deps.log.error({ err: error }, 'a change of the servers was not taken up by the copies');
    }
  }
}
