import type Database from 'better-sqlite3';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import type { ServiceEvents } from '../../../../src-main/service/contract/events.ts';
import type { Fetch } from '../../../../src-main/service/contract/fetches.ts';
import { GroupCommit } from '../../../../src-main/service/database/group-commit.ts';
import { openDatabase } from '../../../../src-main/service/database/open.ts';
import { settingsStore } from '../../../../src-main/service/database/settings-store.ts';
import { Events, type EventName } from '../../../../src-main/service/common/events.ts';
import type { Clock } from '../../../../src-main/service/fetching/queue/clock.ts';
import type { DiskSpace } from '../../../../src-main/service/fetching/disk/disk-space.ts';
import type {
  FetchEngine,
  FetchOutcome,
  FetchPlan,
  FetchProgress,
  Journal,
} from '../../../../src-main/service/fetching/engine/types.ts';
import { fetchFilesStore } from '../../../../src-main/service/fetching/store/fetch-files-store.ts';
import { fetchListStore, type FetchListStore } from '../../../../src-main/service/fetching/store/fetch-list-store.ts';
import { FetchQueue } from '../../../../src-main/service/fetching/queue/fetch-queue.ts';
import type { KnownServer } from '../../../../src-main/service/fetching/queue/fetch-servers.ts';
import type { NewFetch } from '../../../../src-main/service/fetching/store/fetch-row.ts';
import { fetchesStore, type FetchesStore } from '../../../../src-main/service/fetching/store/fetches-store.ts';
import { journalStore } from '../../../../src-main/service/fetching/store/journal-store.ts';
import { storeContext } from '../../../../src-main/service/database/store-context.ts';

/** A run of the engine that does what the test says. */
export interface FakeRun {
  readonly plan: FetchPlan;
  readonly verifying: boolean;
  stopped: boolean;
  /** It takes no notice of being told to stop. */
  stuck: boolean;
  over: boolean;
  progress: FetchProgress;
  end(outcome: FetchOutcome): Promise<void>;
  receive(bytes: number): void;
}

export class FakeClock implements Clock {
  #now = Date.UTC(2026, 8, 7, 8, 30);
  // With a fraction, as that of a real one.
  #steady = 1000.3;
  readonly #timers = new Set<{ readonly at: number; readonly work: () => void }>();

  now = () => Math.floor(this.#now);
  steady = () => this.#steady;

  after(milliseconds: number, work: () => void): () => void {
    const timer = { at: this.#steady + milliseconds, work };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Sets the clock on the wall; nothing else passes. */
  set(milliseconds: number): void {
    this.#now = milliseconds;
  }

  get pending(): number {
    return this.#timers.size;
  }

  async advance(milliseconds: number): Promise<void> {
    const until = this.#steady + milliseconds;
    for (;;) {
      const next = [...this.#timers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0];
      const to = next?.at ?? until;
      this.#now += to - this.#steady;
      this.#steady = to;
      if (!next) break;
      this.#timers.delete(next);
      next.work();
      await turns(6);
    }
    await turns();
  }
}

/** Lets everything happen that waits for nothing but its turn. */
export async function turns(count = 40): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

export interface World {
  readonly dir: string;
  readonly database: Database.Database;
  readonly clock: FakeClock;
  readonly events: Events;
  readonly fetches: FetchesStore;
  readonly journal: Journal;
  readonly list: FetchListStore;
  queue: FetchQueue;
  readonly runs: FakeRun[];
  readonly limits: (readonly [number | null, ReadonlyMap<string, number>])[];
  servers: KnownServer[];
  readonly tokens: Map<number, string>;
  /** By target; those that are not there have all the room in the world. */
  readonly rooms: Map<string, DiskSpace | null>;
  room: DiskSpace | null;
  /** Folders that other processes fetch into, and those that this one has locked. */
  readonly busy: Set<string>;
  readonly locked: string[];
  readonly told: { readonly at: number; readonly name: EventName; readonly event: ServiceEvents[EventName] }[];
  enginesStarted: number;
  /** Runs that are not over. */
  running(): readonly number[];
  runOf(id: number): FakeRun;
  add(wish?: Partial<NewFetch>): Promise<number>;
  shown(id: number): Promise<Fetch>;
  state(id: number): Promise<string>;
  serversChanged(): Promise<void>;
  /** The service ends and starts again. */
  restart(): Promise<void>;
  end(): Promise<void>;
}

/** The queue over a real database, with an engine, disks, servers and a clock that do what the test says. */
export async function queueWorld(): Promise<World> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-queue-'));
  const database = openDatabase(path.join(dir, 'data'));
  // These tests are about order; journal.test.ts is about the disk.
  database.pragma('synchronous = OFF');
  const commits = new GroupCommit(database);
  const [fetches, files, journal] = [
    fetchesStore(database, commits),
    fetchFilesStore(database, commits),
    journalStore(database, commits),
  ];
  const [clock, events, settings, log] = [
    new FakeClock(),
    new Events(),
    settingsStore(storeContext(database).database),
    pino({ level: 'silent' }),
  ];
  const list = fetchListStore(database);
  const runs: FakeRun[] = [];
  const world: World = {
    dir,
    database,
    clock,
    events,
    fetches,
    journal,
    list,
    runs,
    limits: [],
    servers: [
      { id: 1, name: 'Lab', base_url: 'http://lab.example', speed_limit: null, connections: null },
      { id: 2, name: 'Facility', base_url: 'http://facility.example', speed_limit: 5000, connections: 2 },
    ],
    tokens: new Map([
      [1, 'first'],
      [2, 'second'],
    ]),
    rooms: new Map(),
    room: { free: 1e15, disk: 'd', made: true },
    busy: new Set(),
    locked: [],
    told: [],
    enginesStarted: 0,
    queue: newQueue(),
    running: () => runs.filter(({ over }) => !over).map(({ plan }) => plan.id),
    runOf: (id) => {
      const run = runs.findLast(({ plan }) => plan.id === id);
      if (!run) throw new Error(`fetch ${id} never ran`);
      return run;
    },
    add: async (wish = {}) => {
      const row = await world.queue.add({
        serverId: 1,
        baseUrl: 'http://lab.example',
        measurementId: 'm',
        title: null,
        what: 'files',
        chosen: null,
        unpack: false,
        priority: 0,
        paused: false,
        target: path.join(dir, `target-${runs.length}-${Math.random()}`),
        ...wish,
      });
      await turns();
      return row.id;
    },
    shown: async (id) => {
      const row = await fetches.byId(id);
      if (!row) throw new Error(`fetch ${id} is gone`);
      return world.queue.shape(row);
    },
    state: async (id) => (await world.shown(id)).state,
    serversChanged: async () => {
      events.emit('changed', { topic: 'servers' });
      await turns();
    },
    restart: async () => {
      await world.queue.stop();
      world.queue = newQueue();
      await world.queue.start();
      await turns();
    },
    end: async () => {
      await world.queue.stop();
      database.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
  events.subscribe((name, event) => world.told.push({ at: clock.steady(), name, event }));
  await world.queue.start();
  return world;

  function newQueue(): FetchQueue {
    return new FetchQueue({
      fetches,
      fetchFiles: files,
      journal,
      settings,
      events,
      log,
      clock,
      random: () => 0.5,
      servers: {
        all: async () => world.servers,
        source: async (id) => {
          const server = world.servers.find((one) => one.id === id);
          return server ? { baseUrl: server.base_url, token: world.tokens.get(id) ?? null, certificate: null } : null;
        },
      },
      lock: (target) => {
        if (world.busy.has(target)) return 'busy';
        world.locked.push(target);
        return () => void world.locked.splice(world.locked.indexOf(target), 1);
      },
      diskSpace: async (target) => (world.rooms.has(target) ? (world.rooms.get(target) ?? null) : world.room),
      startEngine: () => {
        world.enginesStarted += 1;
        return fakeEngine(world, clock);
      },
    });
  }
}

function fakeEngine(world: World, clock: Clock): FetchEngine {
  const begin = (plan: FetchPlan, verifying: boolean) => {
    let settle: (outcome: FetchOutcome) => void = () => {};
    const outcome = new Promise<FetchOutcome>((resolve) => (settle = resolve));
    const run: FakeRun = {
      plan,
      verifying,
      stopped: false,
      stuck: false,
      over: false,
      progress: {
        phase: verifying ? 'verifying' : 'fetching',
        bytesDone: 0,
        bytesVerified: 0,
        filesDone: 0,
        bytesReceived: 0,
        connections: 1,
        lastByteAt: clock.now(),
        inFlight: [],
      },
      end: async (how) => {
        run.over = true;
        settle(how);
        await turns();
      },
      receive: (bytes) => {
        const { bytesReceived, bytesDone } = run.progress;
        run.progress = { ...run.progress, bytesReceived: bytesReceived + bytes, bytesDone: bytesDone + bytes };
      },
    };
    world.runs.push(run);
    return {
      outcome,
      progress: () => run.progress,
      stop: () => {
        run.stopped = true;
        if (run.stuck) return;
        run.over = true;
        settle({ kind: 'stopped' });
      },
    };
  };
  return {
    run: (plan) => begin(plan, false),
    verify: (plan) => begin(plan, true),
    limit: (all, ofServers) => void world.limits.push([all, ofServers]),
    close: async () => {},
  };
}

export const done: FetchOutcome = { kind: 'done' };
export const unreachable: FetchOutcome = { kind: 'retry', reason: 'unreachable', message: 'gone', afterMs: null };

/** Other settings than usual. */
export async function changeSettings(
  world: World,
  change: Partial<ReturnType<World['queue']['settings']>>,
): Promise<void> {
  await world.queue.setSettings({ ...world.queue.settings(), ...change });
  await turns();
}
