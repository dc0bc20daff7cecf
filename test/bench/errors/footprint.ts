import Database from 'better-sqlite3';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { spreadRow, type Goal } from '../goals/goal.ts';
import { residentBytes } from '../servers/server.ts';
import { spreadOf } from '../statistics.ts';
import { connections, type ErrorsBench } from './errors-bench.ts';

/** Memory and disk. */
export const footprint: Goal<ErrorsBench> = {
  name: 'footprint',
  method:
    'A fresh service for each round takes events of 50 KB as fast as it can on 8 connections. Memory: the highest resident memory of the process (each 20 ms). Disk: the pages in use of the database after the round less those before, by event; indices and counters included.',
  run: async (bench) => {
    const requests = bench.options.quick ? 1000 : 4000;
    const highest: number[] = [];
    const idle: number[] = [];
    const bytes: number[] = [];
    for (let round = 0; round < bench.options.rounds; round += 1) {
      const service = await bench.restartService();
      await wait(500);
      const before = usedBytes(bench.dataDir);
      idle.push(residentBytes(service.pid) / 1e6);
      let peak = 0;
      const watch = setInterval(() => (peak = Math.max(peak, residentBytes(service.pid))), 20);
      try {
        await bench.client(service, '', {
          paths: bench.fixture.envelopePaths,
          bodies: bench.large,
          requests,
          connections,
        });
      } finally {
        clearInterval(watch);
      }
      highest.push(peak / 1e6);
      bytes.push((usedBytes(bench.dataDir) - before) / requests / 1000);
    }
    const before = spreadOf(idle);
    return {
      rows: [
        spreadRow('memory under load', '-', spreadOf(highest), { atMost: 150, unit: 'MB' }),
        spreadRow('disk for an event of 50 KB', '-', spreadOf(bytes), { atMost: 10, unit: 'KB' }),
      ],
      details: [
        {
          work: 'memory',
          variant: 'benchport, before any event',
          figure: `${before.median.toFixed(0)} MB`,
          spread: `${before.min.toFixed(0)} to ${before.max.toFixed(0)}`,
          cpu: '-',
          others: '-',
        },
      ],
    };
  },
};

function usedBytes(dataDir: string): number {
  const database = new Database(path.join(dataDir, 'benchport.db'), { readonly: true });
  try {
    const [pages, free, size] = ['page_count', 'freelist_count', 'page_size'].map((name) =>
      Number(database.pragma(name, { simple: true })),
    );
    return ((pages ?? 0) - (free ?? 0)) * (size ?? 0);
  } finally {
    database.close();
  }
}
