import type { Fetch, FetchAction } from '../../contract/fetches.ts';
import type { FetchSettings } from '../../contract/fetch-settings.ts';
import { textFinder } from '../../database/text-search.ts';
import { queuedAgain } from './after-run.ts';
import { announcer } from './announce-fetches.ts';
import { BlockedFetches } from './unblock-fetches.ts';
import { Ticker } from './ticker.ts';
import type { FetchEngine, Piece } from '../engine/types.ts';
import { actOnFetches } from './fetch-actions.ts';
import { isOpen, nextOpening } from './fetch-hours.ts';
import { serverOf, type KnownServer } from './fetch-servers.ts';
import { readFetchSettings, writeFetchSettings } from './fetch-settings.ts';
import { fetchShape } from './fetch-shape.ts';
import type { FetchRow, NewFetch } from '../store/fetch-row.ts';
import type { FetchIds } from '../store/fetches-store.ts';
import { DownloadTotals } from './download-totals.ts';
import { stopLive, type LiveFetch } from './live-fetch.ts';
import { reservedBytes, type QueueContext } from './queue-context.ts';
import type { QueueDeps } from './queue-deps.ts';
import { QueueTick } from './queue-tick.ts';
import { retarget } from './retarget.ts';
import { Serial } from './serial.ts';
import { ServerBackoff } from './server-backoff.ts';
import { startNext } from './start-next.ts';
import { restoreQueue } from './restore-queue.ts';
import { RetryTimers } from './retry-timers.ts';

export interface FetchQueue {
  /** Resumes the fetches that ran when the service stopped, and starts the queued ones. */
  start(): Promise<void>;
  /** Stops all runs; they resume at the next start. */
  stop(): Promise<void>;
  add(input: NewFetch): Promise<FetchRow>;
  /** Adds all in one transaction, in order. */
  addAll(inputs: readonly NewFetch[]): Promise<readonly FetchRow[]>;
  /** @returns the number of changed fetches; see {@link actOnFetches} */
  act(action: FetchAction, of: FetchIds): Promise<number>;
  setPriority(id: number, priority: number): Promise<void>;
  /**
   * Moves a fetch to another folder; files in the old one stay there. @returns false if it runs or
   * has ended
   */
  setTarget(id: number, target: string): Promise<boolean>;
  settings(): FetchSettings;
  setSettings(wanted: FetchSettings): Promise<void>;
  shape(row: FetchRow): Fetch;
  /** Ranges of a file that are in flight. */
  inFlight(id: number, index: number): readonly Piece[];
  /** Ids of the servers whose name contains a text. */
  serversNamed(text: string): readonly number[];
}

// Below the time the service has for its shutdown.
const stopTimeoutMs = 8000;

/** Creates the queue, which decides which fetches run and announces their changes. */
export function fetchQueue(deps: QueueDeps): FetchQueue {
  const { fetches, fetchFiles: files, servers, events, log, clock } = deps;
  const live = new Map<number, LiveFetch>();
  const [serial, backoffs, retryTimers] = [new Serial(), new ServerBackoff(), new RetryTimers()];
  let settings: FetchSettings | null = null;
  let known: readonly KnownServer[] = [];
  let engine: FetchEngine | null = null;
  let stopping = false;
  let wakeAgain = false;

  const totals = new DownloadTotals(live, clock, (event) => events.emit('incoming', event));
  const announce = announcer(
    clock,
    (id) => void tell(id).catch(failed('a fetch was not announced')),
    (id) => events.emit('changed', { topic: 'fetches', ...(id === null ? {} : { id: String(id) }) }),
  );
  const blocked = new BlockedFetches({
    fetches,
    servers,
    diskSpace: deps.diskSpace,
    reservedBytes: (disk) => reservedBytes(live, disk, null),
  });
  const context: QueueContext = {
    fetches,
    files,
    journal: deps.journal,
    servers,
    clock,
    log,
    random: deps.random,
    diskSpace: deps.diskSpace,
    lock: deps.lock,
    live,
    received: (bytes) => totals.ended(bytes),
    retryTimers,
    backoffs,
    blocked,
    announce,
    serial,
    wake,
    engine: () => {
      if (!engine) {
        engine = deps.startEngine();
        limit();
      }
      return engine;
    },
    settings: now,
    known: () => known,
    stopping: () => stopping,
  };
  const tick = new QueueTick(context, totals);
  const ticker = new Ticker(clock, tick);

  function now(): FetchSettings {
    if (!settings) throw new Error('the queue was not started');
    return settings;
  }

  function failed(what: string): (error: unknown) => void {
    return (error) => log.error({ err: error }, what);
  }

  async function runsEnded(): Promise<void> {
    await Promise.all([...live.values()].map(({ ended }) => ended));
    await serial.settled();
    await engine?.close();
  }

  function limit(): void {
    const ofServers = known.flatMap(({ base_url: url, speed_limit: most }) =>
      most === null ? [] : [[url, most] as const],
    );
    engine?.limit(now().speed_limit, new Map(ofServers));
  }

  function wake(): void {
    if (wakeAgain || stopping) return;
    wakeAgain = true;
    void serial.run(pump).catch(failed('the queue of fetches has stopped'));
  }

  async function pump(): Promise<void> {
    wakeAgain = false;
    if (stopping) return;
    const steady = clock.steady();
    await fetches.updateAll(retryTimers.takeDue(steady), ['waiting'], queuedAgain);
    tick.wasOpen = isOpen(now().schedule, clock.now());
    const running = [...live.values()].filter(({ stopAs }) => stopAs === null);
    const closing = tick.wasOpen ? [] : running.filter(({ verifying }) => !verifying);
    // The last to start are the first to stop.
    const tooMany = running
      .toSorted((a, b) => b.row.priority - a.row.priority || a.row.position - b.row.position)
      .slice(now().at_most);
    for (const one of new Set([...closing, ...tooMany])) stopLive(one, queuedAgain);
    await startNext(context, tick.wasOpen);
    const idle = live.size === 0 && !(await fetches.some('queued', 'waiting', 'asking'));
    ticker.set(live.size > 0 ? 'fast' : idle ? 'still' : 'slow');
    // The end of all downloads is announced once.
    if (live.size === 0) totals.setLeft({ bytes: 0, unsized: 0 });
  }

  async function tell(id: number): Promise<void> {
    const row = stopping ? null : await fetches.byId(id);
    if (row) events.emit('fetch', shape(row));
  }

  async function serversChanged(): Promise<void> {
    known = await servers.all();
    limit();
    await serial.run(async () => tick.unblocked(await blocked.serversChanged()));
    // Each fetch shows the name and address of its server.
    announce.changed(null);
  }

  const unsubscribe = events.subscribe((name, event) => {
    if (name === 'changed' && 'topic' in event && event.topic === 'servers' && settings && !stopping) {
      void serversChanged().catch(failed('a change of the servers was not taken up'));
    }
  });

  function shape(row: FetchRow): Fetch {
    const [steady, at] = [clock.steady(), clock.now()];
    const { schedule } = now();
    const closed = schedule !== null && !isOpen(schedule, at);
    return fetchShape(row, {
      live: live.get(row.id),
      server: serverOf(known, row),
      steady,
      now: at,
      dueAt: retryTimers.dueAt(row.id),
      backoff: backoffs.of(row.base_url, steady),
      closedUntil: closed ? nextOpening(schedule, at) : undefined,
    });
  }

  return {
    start: async () => {
      settings = await readFetchSettings(deps.settings);
      known = await servers.all();
      tick.wasOpen = isOpen(now().schedule, clock.now());
      await serial.run(async () => restoreQueue(context, tick.wasOpen));
      wake();
    },
    stop: async () => {
      stopping = true;
      unsubscribe();
      // Also stop fetches that are just being started.
      await serial.settled();
      ticker.set('still');
      for (const one of live.values()) one.run.stop();
      // A hung disk must not block the shutdown; the journal is consistent at any time.
      await Promise.race([runsEnded(), new Promise<void>((resolve) => clock.after(stopTimeoutMs, resolve))]);
      announce.stop();
    },
    add: async (input) => {
      const row = await serial.run(async () => fetches.create(input));
      announce.changed(row.id);
      wake();
      return row;
    },
    addAll: async (inputs) => {
      const rows = await serial.run(async () => Promise.all(inputs.map((input) => fetches.create(input))));
      announce.changed(null);
      wake();
      return rows;
    },
    act: async (action, of) => {
      const changed = await actOnFetches(context, action, of);
      announce.changed(of !== 'all' && of.length === 1 ? (of[0] ?? null) : null);
      wake();
      return changed;
    },
    setPriority: async (id, priority) => {
      await fetches.update(id, { priority });
      announce.changed(id);
      wake();
    },
    setTarget: async (id, target) => {
      const changed = await serial.run(async () => retarget(context, id, target));
      announce.changed(id);
      return changed;
    },
    settings: now,
    setSettings: async (wanted) => {
      await writeFetchSettings(deps.settings, wanted);
      settings = wanted;
      limit();
      // A new schedule changes the displayed state of every queued fetch.
      announce.changed(null);
      wake();
    },
    shape,
    inFlight: (id, index) =>
      live
        .get(id)
        ?.run.progress()
        .inFlight.filter((one) => one.index === index)
        .map(({ start, end }) => [start, end] as const) ?? [],
    serversNamed: (text) => {
      const fits = textFinder(text);
      return known.filter(({ name }) => fits(name)).map(({ id }) => id);
    },
  };
}
