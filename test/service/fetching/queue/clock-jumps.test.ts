import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { IncomingEvent } from '../../../../src-main/service/contract/events.ts';
import type { Fetch } from '../../../../src-main/service/contract/fetches.ts';
import { GroupCommit } from '../../../../src-main/service/database/sqlite/group-commit.ts';
import { openDatabase } from '../../../../src-main/service/database/open.ts';
import { settingsStore } from '../../../../src-main/service/database/settings-store.ts';
import { Events } from '../../../../src-main/service/common/events.ts';
import { systemClock } from '../../../../src-main/service/fetching/queue/clock.ts';
import { readDiskSpace } from '../../../../src-main/service/fetching/disk/disk-space.ts';
import { startEngine } from '../../../../src-main/service/fetching/engine/worker/start-engine.ts';
import { fetchFilesStore } from '../../../../src-main/service/fetching/store/fetch-files-store.ts';
import { FetchQueue } from '../../../../src-main/service/fetching/queue/fetch-queue.ts';
import { fetchesStore } from '../../../../src-main/service/fetching/store/fetches-store.ts';
import { lockFolder } from '../../../../src-main/service/fetching/disk/folder-lock.ts';
import { journalStore } from '../../../../src-main/service/fetching/store/journal-store.ts';
import { createLogger } from '../../../../src-main/service/logging/logging.ts';
import { startFaultServer } from '../../../faults/fault-server.ts';
import { digestsBelow, filesOf } from '../../../faults/folder-contents.ts';
import { generateMeasurement } from '../../../faults/measurement.ts';
import { storeContext } from '../../../../src-main/service/database/store-context.ts';

const mebibyte = 1024 * 1024;
const day = 24 * 3600_000;
const jumps = [day, -day, 365 * day, -365 * day];
const size = 32 * mebibyte;
const maxWaitMs = 15 * 60_000;

test(
  'the clock on the wall jumps by days and years while bytes come: rates, time left and waits stay sane, and everything arrives',
  { timeout: 60_000 },
  async () => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-clock-'));
    const database = openDatabase(path.join(dir, 'data'));
    const commits = new GroupCommit(database);
    const [fetches, fetchFiles, journal] = [
      fetchesStore(database, commits),
      fetchFilesStore(database, commits),
      journalStore(database, commits),
    ];
    const [events, log, settings] = [
      new Events(),
      createLogger('silent'),
      settingsStore(storeContext(database).database),
    ];
    const measurement = generateMeasurement('run-14', 31, [['big.bin', size]]);
    // Slow until the clock has jumped: a rate is told once a second.
    let pace = 2 * mebibyte;
    const server = await startFaultServer(measurement, { pace: () => pace });
    let wall = 0;
    const now = (): number => Date.now() + wall;
    const servers = [
      { id: 1, name: 'Lab', base_url: server.url, speed_limit: null, connections: null },
      // No server listens on this port.
      { id: 2, name: 'Away', base_url: 'http://127.0.0.1:1', speed_limit: null, connections: null },
    ];
    const queue = new FetchQueue({
      fetches,
      fetchFiles,
      journal,
      settings,
      events,
      log,
      random: () => 0.5,
      diskSpace: readDiskSpace,
      lock: lockFolder,
      clock: { ...systemClock, now },
      servers: {
        all: async () => servers,
        source: async (id) => ({
          baseUrl: servers.find((one) => one.id === id)?.base_url ?? '',
          token: null,
          certificate: null,
        }),
      },
      startEngine: () => startEngine(journal, log),
    });
    const told: Fetch[] = [];
    const sums: IncomingEvent[] = [];
    const waits: number[] = [];
    events.subscribe((name, event) => {
      if (name === 'incoming') sums.push(event as IncomingEvent);
      if (name !== 'fetch') return;
      told.push(event as Fetch);
      const { state, retry_at: at } = event as Fetch;
      if (state === 'waiting' && at !== null) waits.push(Date.parse(at) - now());
    });
    try {
      await queue.start();
      await mkdir(path.join(dir, 'got'));
      const wish = { title: null, what: 'files', chosen: null, unpack: false, priority: 0, paused: false } as const;
      const add = async (serverId: number, name: string): Promise<number> => {
        const baseUrl = servers.find(({ id }) => id === serverId)?.base_url ?? '';
        return (
          await queue.add({
            ...wish,
            serverId,
            baseUrl,
            measurementId: measurement.id,
            target: path.join(dir, 'got', name),
          })
        ).id;
      };
      const [id, away] = [await add(1, 'here'), await add(2, 'away')];
      const until = async (holds: () => Promise<boolean>): Promise<void> => {
        while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
      };
      const rowOf = async (one: number) => (await fetches.byId(one)) ?? expect.fail('it is gone');
      let [heard, passed] = [0, 0];
      for (const jump of jumps) {
        passed += 1.5 * mebibyte;
        const hasRate = (): boolean => told.slice(heard).some((one) => one.id === id && one.bytes_per_second > 0);
        await until(
          async () =>
            hasRate() && (await rowOf(id)).bytes_done > passed - mebibyte && (await rowOf(away)).state === 'waiting',
        );
        heard = told.length;
        wall += jump;
      }
      pace = Infinity;
      await until(async () => (await rowOf(id)).state === 'done');
      expect(digestsBelow(path.join(dir, 'got', 'here'))).toEqual(filesOf(measurement));
      // Received bytes were kept, also where the machine seemed to have slept.
      expect(server.bytesSent()).toBeLessThan(size + jumps.length * 8 * mebibyte);
      const lefts = [...told, ...sums].map(({ seconds_left: left }) => left ?? 0);
      const rates = [...told.map((one) => one.bytes_per_second), ...sums.map((one) => one.down_bytes_per_second)];
      expect(Math.max(...sums.map((one) => one.down_bytes_per_second))).toBeGreaterThan(0);
      expect(Math.min(...rates, ...lefts)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...rates)).toBeLessThan(100 * mebibyte);
      expect(Math.max(...lefts)).toBeLessThan(3600);
      expect(waits.length).toBeGreaterThan(0);
      expect(Math.min(...waits)).toBeGreaterThan(-maxWaitMs);
      expect(Math.max(...waits)).toBeLessThan(maxWaitMs);
      expect((await rowOf(id)).active_ms).toBeLessThan(60_000);
      expect(queue.shape(await rowOf(away)).state).toMatch(/waiting|queued|running/);
    } finally {
      await queue.stop();
      await server.stop();
      database.close();
      await rm(dir, { recursive: true, force: true });
    }
  },
);
