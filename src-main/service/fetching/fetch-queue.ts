import type { Fetch, FetchAction, FetchSettings } from '../contract/fetches.ts';
import { queuedAgain } from './after-run.ts';
import { announcer } from './announce-fetches.ts';
import { AskAgain } from './ask-again.ts';
import { Beat } from './beat.ts';
import type { FetchEngine, Piece } from './engine/types.ts';
import { actOnFetches } from './fetch-actions.ts';
import { isOpen, nextOpening } from './fetch-hours.ts';
import { serverOf, type KnownServer } from './fetch-servers.ts';
import { readFetchSettings, writeFetchSettings } from './fetch-settings.ts';
import { fetchShape } from './fetch-shape.ts';
import type { FetchRow, NewFetch } from './fetch-row.ts';
import type { FetchIds } from './fetches-store.ts';
import { IncomingSum } from './incoming-sum.ts';
import { stopLive, type LiveFetch } from './live-fetch.ts';
import { promised, type QueueParts } from './queue-parts.ts';
import type { QueueNeeds } from './queue-needs.ts';
import { discard } from './run-fetch.ts';
import { Serial } from './serial.ts';
import { ServerHolds } from './server-holds.ts';
import { startNext, startOne } from './start-next.ts';
import { Waits } from './waits.ts';
import { watchRoom } from './watch-room.ts';

export interface FetchQueue {
  /** Goes on with what ran when the service ended, and with everything that is queued. */
  start(): Promise<void>;
  /** Stops; what runs goes on with the next start. */
  stop(): Promise<void>;
  add(wish: NewFetch): Promise<FetchRow>;
  /** @returns how many have changed; see {@link actOnFetches}. */
  act(action: FetchAction, of: FetchIds): Promise<number>;
  setPriority(id: number, priority: number): Promise<void>;
  /** Another folder for a fetch; what it had in the other one stays there. @returns false when it runs or has ended. */
  setTarget(id: number, target: string): Promise<boolean>;
  settings(): FetchSettings;
  setSettings(wanted: FetchSettings): Promise<void>;
  shape(row: FetchRow): Fetch;
  /** Ranges of a file that are on their way. */
  coming(id: number, index: number): readonly Piece[];
  /** Ids of the servers whose name holds a text. */
  serversNamed(text: string): readonly number[];
}

const lookEvery = 5000;
// Less than the time that a service has for its end.
const longestStop = 8000;

/** Decides which fetches run, and tells about them. */
export function fetchQueue(needs: QueueNeeds): FetchQueue {
  const { fetches, fetchFiles: files, servers, events, log, clock } = needs;
  const live = new Map<number, LiveFetch>();
  const [serial, holds, waits] = [new Serial(), new ServerHolds(), new Waits()];
  let settings: FetchSettings | null = null;
  let known: readonly KnownServer[] = [];
  let engine: FetchEngine | null = null;
  let stopping = false;
  let wakeAgain = false;
  let lookedAt = 0;
  let looking = false;
  let wasOpen = true;

  const incoming = new IncomingSum(live, (event) => events.emit('incoming', event));
  const announce = announcer(
    clock,
    (id) => void tell(id).catch(failed('a fetch was not announced')),
    (id) => events.emit('changed', { topic: 'fetches', ...(id === null ? {} : { id: String(id) }) }),
  );
  const askAgain = new AskAgain({ fetches, servers, room: needs.room, promised: (disk) => promised(live, disk, null) });
  const parts: QueueParts = {
    fetches,
    files,
    journal: needs.journal,
    servers,
    clock,
    log,
    random: needs.random,
    room: needs.room,
    lock: needs.lock,
    live,
    waits,
    holds,
    askAgain,
    announce,
    serial,
    wake,
    engine: () => {
      if (!engine) {
        engine = needs.startEngine();
        limit();
      }
      return engine;
    },
    settings: now,
    known: () => known,
    stopping: () => stopping,
  };
  const beat = new Beat(clock, { quick, second, woken });

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
    const ofServers = known.flatMap(({ base_url: url, speed_limit: most }) => (most === null ? [] : [[url, most] as const]));
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
    await fetches.updateAll(waits.takeDue(steady), ['waiting'], queuedAgain);
    wasOpen = isOpen(now().schedule, clock.now());
    const running = [...live.values()].filter(({ stopAs }) => stopAs === null);
    const closing = wasOpen ? [] : running.filter(({ verifying }) => !verifying);
    // Those that would be the last to start are the first to stop.
    const tooMany = running.toSorted((a, b) => b.row.priority - a.row.priority || a.row.position - b.row.position).slice(now().at_most);
    for (const one of new Set([...closing, ...tooMany])) stopLive(one, queuedAgain);
    await startNext(parts, wasOpen);
    const idle = live.size === 0 && !(await fetches.some('queued', 'waiting', 'asking'));
    beat.set(live.size > 0 ? 'fast' : idle ? 'still' : 'slow');
    // That nothing comes any more is told once.
    if (live.size === 0) incoming.tell(clock.steady());
  }

  async function tell(id: number): Promise<void> {
    const row = stopping ? null : await fetches.byId(id);
    if (row) events.emit('fetch', shape(row));
  }

  function quick(): void {
    for (const [id, one] of live) {
      const { bytesReceived, bytesVerified, filesDone } = one.progress;
      one.progress = one.run.progress();
      one.meter.take(clock.steady(), one.progress.bytesReceived);
      const hasMoved = one.progress.bytesReceived !== bytesReceived || one.progress.bytesVerified !== bytesVerified || one.progress.filesDone !== filesDone;
      if (hasMoved) announce.moved(id);
    }
  }

  function second(): void {
    const steady = clock.steady();
    // Rates fall, and a stalled one is stalled, without anything that moves.
    for (const id of live.keys()) announce.moved(id);
    incoming.tell(steady);
    if (waits.isDue(steady) || holds.release(steady) || isOpen(now().schedule, clock.now()) !== wasOpen) wake();
    // A disk may take long to answer, and is not asked again before it has.
    if (looking) return;
    looking = true;
    void look(steady)
      .catch(failed('the room on the disks is not known'))
      .finally(() => (looking = false));
  }

  async function look(steady: number): Promise<void> {
    await watchRoom(parts);
    if (steady - lookedAt < lookEvery) return;
    lookedAt = steady;
    await serial.run(async () => goOn(await askAgain.disksChanged()));
  }

  function woken(): void {
    waits.woken(clock.steady(), clock.now());
    holds.clear();
    // Connections that slept along are dead, though nobody has said so.
    for (const one of live.values()) if (one.stopAs === null && !one.verifying) stopLive(one, queuedAgain);
    wake();
  }

  function goOn(changed: number): void {
    if (changed === 0) return;
    announce.changed(null);
    wake();
  }

  async function serversChanged(): Promise<void> {
    known = await servers.all();
    limit();
    await serial.run(async () => goOn(await askAgain.serversChanged()));
    // Names and addresses are shown with each fetch.
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
      dueAt: waits.dueAt(row.id),
      hold: holds.of(row.base_url, steady),
      closedUntil: closed ? nextOpening(schedule, at) : undefined,
    });
  }

  return {
    start: async () => {
      settings = await readFetchSettings(needs.settings);
      known = await servers.all();
      await serial.run(async () => {
        for (const row of await fetches.inState('waiting')) waits.restore(row.id, clock.steady(), clock.now(), row.retry_at);
        const before = await fetches.inState('running');
        await fetches.unverify(before.filter((row) => row.ended_at !== null).map(({ id }) => id));
        wasOpen = isOpen(now().schedule, clock.now());
        for (const row of before.filter((one) => one.ended_at === null)) {
          await fetches.update(row.id, queuedAgain);
          // What ran goes on before anything else begins.
          if (wasOpen && live.size < now().at_most) await startOne(parts, row);
        }
      });
      wake();
    },
    stop: async () => {
      stopping = true;
      unsubscribe();
      // What is just being started is stopped, too.
      await serial.settled();
      beat.set('still');
      for (const one of live.values()) one.run.stop();
      // A disk that does not answer must not keep the service from ending; the journal is whole at any time.
      await Promise.race([runsEnded(), new Promise<void>((resolve) => clock.after(longestStop, resolve))]);
      announce.stop();
    },
    add: async (wish) => {
      const row = await serial.run(async () => fetches.create(wish));
      announce.changed(row.id);
      wake();
      return row;
    },
    act: async (action, of) => {
      const changed = await actOnFetches(parts, action, of);
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
      const changed = await serial.run(async () => {
        const row = await fetches.byId(id);
        if (!row || live.has(id) || row.ended_at !== null) return false;
        if (row.target === target) return true;
        await discard(parts, row);
        await files.clear(id);
        await fetches.update(id, { target });
        return true;
      });
      announce.changed(id);
      return changed;
    },
    settings: now,
    setSettings: async (wanted) => {
      await writeFetchSettings(needs.settings, wanted);
      settings = wanted;
      limit();
      // Another schedule changes what is said of every queued one.
      announce.changed(null);
      wake();
    },
    shape,
    coming: (id, index) =>
      live
        .get(id)
        ?.run.progress()
        .coming.filter((one) => one.index === index)
        .map(({ start, end }) => [start, end] as const) ?? [],
    serversNamed: (text) => known.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())).map(({ id }) => id),
  };
}
