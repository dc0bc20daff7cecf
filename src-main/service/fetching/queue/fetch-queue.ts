import type { Fetch, FetchAction } from '../../contract/fetches.ts';
import type { FetchSettings } from '../../contract/fetch-settings.ts';
import { textFinder } from '../../database/text-search.ts';
import { announcer } from './announce-fetches.ts';
import { BlockedFetches } from './unblock-fetches.ts';
import { Ticker } from './ticker.ts';
import type { Piece } from '../engine/types.ts';
import { actOnFetches } from './fetch-actions.ts';
import { isOpen, nextOpening } from './fetch-hours.ts';
import { serverOf } from './fetch-servers.ts';
import { fetchShape } from './fetch-shape.ts';
import type { FetchRow, NewFetch } from '../store/fetch-row.ts';
import type { FetchIds } from '../store/fetches-store.ts';
import { DownloadTotals } from './download-totals.ts';
import type { LiveFetch } from './live-fetch.ts';
import { reservedBytes, type QueueContext, type QueueDeps } from './queue-context.ts';
import { queuePass } from './queue-pass.ts';
import { QueueState } from './queue-state.ts';
import { QueueTick } from './queue-tick.ts';
import { retarget } from './retarget.ts';
import { Serial } from '../../common/serial.ts';
import { ServerBackoff } from './server-backoff.ts';
import { restoreQueue } from './restore-queue.ts';
import { RetryTimers } from './retry-timers.ts';

// Below the time the service has for its shutdown.
const stopTimeoutMs = 8000;
// Milliseconds until a retry after a failed write.
const storeRetryMs = 2000;

/** Decides which fetches run and announces their changes. */
export class FetchQueue {
  readonly #deps: QueueDeps;
  readonly #state: QueueState;
  readonly #context: QueueContext;
  readonly #totals: DownloadTotals;
  readonly #tick: QueueTick;
  readonly #ticker: Ticker;
  readonly #unsubscribe: () => void;
  #isStopping = false;
  #isWoken = false;

  constructor(deps: QueueDeps) {
    const { clock, events } = deps;
    const live = new Map<number, LiveFetch>();
    this.#deps = deps;
    this.#state = new QueueState(deps);
    this.#totals = new DownloadTotals(live, clock, (event) => events.emit('incoming', event));
    this.#context = this.#contextOf(live);
    this.#tick = new QueueTick(this.#context, this.#totals);
    this.#ticker = new Ticker(clock, this.#tick);
    this.#unsubscribe = events.subscribe((name, event) => {
      if (name === 'changed' && 'topic' in event && event.topic === 'servers' && this.#state.isLoaded)
        void this.#serversChanged().catch(this.#failed('a change of the servers was not taken up'));
    });
  }

  /** Resumes the fetches that ran when the service stopped, and starts the queued ones. */
  async start(): Promise<void> {
    await this.#state.load();
    this.#tick.wasOpen = isOpen(this.#state.settings.schedule, this.#deps.clock.now());
    await this.#context.serial.run(async () => restoreQueue(this.#context, this.#tick.wasOpen));
    this.#wake();
  }

  /** Stops all runs; they resume at the next start. */
  async stop(): Promise<void> {
    const { serial, live, announce, clock } = this.#context;
    this.#isStopping = true;
    this.#unsubscribe();
    // Also stop fetches that are just being started.
    await serial.settled();
    this.#ticker.set('still');
    for (const one of live.values()) one.run.stop();
    // A hung disk must not block the shutdown; the journal is consistent at any time.
    await Promise.race([this.#runsEnded(), new Promise<void>((resolve) => clock.after(stopTimeoutMs, resolve))]);
    announce.stop();
  }

  async add(input: NewFetch): Promise<FetchRow> {
    const row = await this.#context.serial.run(async () => this.#deps.fetches.create(input));
    this.#changed(row.id);
    return row;
  }

  /** Adds all in one transaction, in order. */
  async addAll(inputs: readonly NewFetch[]): Promise<readonly FetchRow[]> {
    const { fetches } = this.#deps;
    const rows = await this.#context.serial.run(async () =>
      Promise.all(inputs.map(async (input) => fetches.create(input))),
    );
    this.#changed(null);
    return rows;
  }

  /** @returns the number of changed fetches; see {@link actOnFetches} */
  async act(action: FetchAction, of: FetchIds): Promise<number> {
    const changed = await actOnFetches(this.#context, action, of);
    this.#changed(of !== 'all' && of.length === 1 ? (of[0] ?? null) : null);
    return changed;
  }

  async setPriority(id: number, priority: number): Promise<void> {
    await this.#deps.fetches.update(id, { priority });
    this.#changed(id);
  }

  /**
   * Moves a fetch to another folder; files in the old one stay there. @returns false if it runs or
   * has ended
   */
  async setTarget(id: number, target: string): Promise<boolean> {
    const changed = await this.#context.serial.run(async () => retarget(this.#context, id, target));
    this.#context.announce.changed(id);
    return changed;
  }

  settings(): FetchSettings {
    return this.#state.settings;
  }

  async setSettings(wanted: FetchSettings): Promise<void> {
    await this.#state.changeSettings(wanted);
    // A new schedule changes the displayed state of every queued fetch.
    this.#changed(null);
  }

  shape(row: FetchRow): Fetch {
    const { clock, live, retryTimers, backoffs } = this.#context;
    const [steady, now] = [clock.steady(), clock.now()];
    const { schedule } = this.#state.settings;
    const closed = schedule !== null && !isOpen(schedule, now);
    return fetchShape(row, {
      live: live.get(row.id),
      server: serverOf(this.#state.servers, row),
      steady,
      now,
      dueAt: retryTimers.dueAt(row.id),
      backoff: backoffs.of(row.base_url, steady),
      closedUntil: closed ? nextOpening(schedule, now) : undefined,
    });
  }

  /** Ranges of a file that are in flight. */
  inFlight(id: number, index: number): readonly Piece[] {
    const ranges = this.#context.live.get(id)?.run.progress().inFlight ?? [];
    return ranges.filter((one) => one.index === index).map(({ start, end }) => [start, end] as const);
  }

  /** Ids of the servers whose name contains a text. */
  serversNamed(text: string): readonly number[] {
    const fits = textFinder(text);
    return this.#state.servers.filter(({ name }) => fits(name)).map(({ id }) => id);
  }

  #contextOf(live: Map<number, LiveFetch>): QueueContext {
    const { fetches, fetchFiles, servers, events, clock, diskSpace, journal, log, random, lock } = this.#deps;
    return {
      fetches,
      files: fetchFiles,
      servers,
      clock,
      diskSpace,
      journal,
      log,
      random,
      lock,
      live,
      unstored: new Map(),
      received: (bytes) => this.#totals.ended(bytes),
      retryTimers: new RetryTimers(),
      backoffs: new ServerBackoff(),
      blocked: new BlockedFetches({
        fetches,
        servers,
        now: clock.now,
        diskSpace,
        reservedBytes: (disk) => reservedBytes(live, disk, null),
      }),
      announce: announcer(
        clock,
        (id) => void this.#tell(id).catch(this.#failed('a fetch was not announced')),
        (id) => events.emit('changed', { topic: 'fetches', ...(id === null ? {} : { id: String(id) }) }),
      ),
      serial: new Serial(),
      wake: () => this.#wake(),
      engine: () => this.#state.engine,
      settings: () => this.#state.settings,
      known: () => this.#state.servers,
      stopping: () => this.#isStopping,
    };
  }

  #changed(id: number | null): void {
    this.#context.announce.changed(id);
    this.#wake();
  }

  #failed(what: string): (error: unknown) => void {
    return (error) => this.#deps.log.error({ err: error }, what);
  }

  async #runsEnded(): Promise<void> {
    const { live, serial } = this.#context;
    await Promise.all([...live.values()].map(async ({ ended }) => ended));
    await serial.settled();
    await this.#state.closeEngine();
  }

  #wake(): void {
    if (this.#isWoken || this.#isStopping) return;
    this.#isWoken = true;
    void this.#context.serial
      .run(async () => {
        this.#isWoken = false;
        if (!this.#isStopping)
          await queuePass(this.#context, { tick: this.#tick, ticker: this.#ticker, totals: this.#totals });
      })
      .catch((error: unknown) => {
        this.#failed('the queue of fetches has stopped for now')(error);
        // A full disk prevents starting fetches, and nothing else may wake the queue.
        this.#deps.clock.after(storeRetryMs, () => this.#wake());
      });
  }

  async #tell(id: number): Promise<void> {
    const row = this.#isStopping ? null : await this.#deps.fetches.byId(id);
    if (row) this.#deps.events.emit('fetch', this.shape(row));
  }

  async #serversChanged(): Promise<void> {
    if (this.#isStopping) return;
    await this.#state.reloadServers();
    await this.#context.serial.run(async () => this.#tick.unblocked(await this.#context.blocked.serversChanged()));
    // Each fetch shows the name and address of its server.
    this.#context.announce.changed(null);
  }
}
