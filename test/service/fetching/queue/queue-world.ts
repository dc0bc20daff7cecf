import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach } from 'vitest';
import { GroupCommit } from '../../../../src-main/service/database/sqlite/group-commit.ts';
import { openDatabase } from '../../../../src-main/service/database/open.ts';
import { settingsStore } from '../../../../src-main/service/database/settings-store.ts';
import { Events } from '../../../../src-main/service/common/events.ts';
import type { FetchOutcome } from '../../../../src-main/service/fetching/engine/types.ts';
import { fetchFilesStore } from '../../../../src-main/service/fetching/store/fetch-files-store.ts';
import { fetchListStore } from '../../../../src-main/service/fetching/store/fetch-list-store.ts';
import { FetchQueue } from '../../../../src-main/service/fetching/queue/fetch-queue.ts';
import { fetchesStore } from '../../../../src-main/service/fetching/store/fetches-store.ts';
import { journalStore } from '../../../../src-main/service/fetching/store/journal-store.ts';
import { storeContext } from '../../../../src-main/service/database/store-context.ts';
import { someFetch } from '../some-fetch.ts';
import { FakeClock, type FakeRun, type World, fakeEngine, turns } from './fake-engine.ts';

/** The queue over a real database, with an engine, disks, servers and a clock that do what the test says. */
async function queueWorld(): Promise<World> {
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
      const target = path.join(dir, `target-${runs.length}-${Math.random()}`);
      const row = await world.queue.add({ ...someFetch, target, ...wish });
      await turns();
      return row.id;
    },
    several: async (count, wish) => {
      const ids: number[] = [];
      for (let number = 0; number < count; number += 1) ids.push(await world.add(wish));
      return ids;
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

/** A new world for each test of the file that calls this; its members exist while a test runs. */
export function useQueueWorld(): World {
  let started: World;
  beforeEach(async () => {
    started = await queueWorld();
  });
  afterEach(() => started.end());
  return new Proxy({} as World, {
    get: (_none, name) => Reflect.get(started, name) as unknown,
    set: (_none, name, value) => Reflect.set(started, name, value),
  });
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
