import type Database from 'better-sqlite3';
import type { ServiceEvents } from '../../../../src-main/service/contract/events.ts';
import type { Fetch } from '../../../../src-main/service/contract/fetches.ts';
import type { Events, EventName } from '../../../../src-main/service/common/events.ts';
import type { Clock } from '../../../../src-main/service/fetching/queue/clock.ts';
import type { DiskSpace } from '../../../../src-main/service/fetching/disk/disk-space.ts';
import type {
  FetchEngine,
  FetchOutcome,
  FetchPlan,
  FetchProgress,
  Journal,
} from '../../../../src-main/service/fetching/engine/types.ts';
import type { FetchListStore } from '../../../../src-main/service/fetching/store/fetch-list-store.ts';
import type { FetchQueue } from '../../../../src-main/service/fetching/queue/fetch-queue.ts';
import type { KnownServer } from '../../../../src-main/service/fetching/queue/fetch-servers.ts';
import type { NewFetch } from '../../../../src-main/service/fetching/store/fetch-row.ts';
import type { FetchesStore } from '../../../../src-main/service/fetching/store/fetches-store.ts';

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
  several(count: number, wish?: Partial<NewFetch>): Promise<readonly number[]>;
  shown(id: number): Promise<Fetch>;
  state(id: number): Promise<string>;
  serversChanged(): Promise<void>;
  /** The service ends and starts again. */
  restart(): Promise<void>;
  end(): Promise<void>;
}

export function fakeEngine(world: World, clock: Clock): FetchEngine {
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
