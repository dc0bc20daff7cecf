import { setTimeout as wait } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import type { Run } from '../clients.ts';
import { residentBytes } from '../servers/server.ts';
import type { OurService } from '../servers/our-service.ts';
import { spreadOf } from '../statistics.ts';
import { spreadRow, type Goal } from './goal.ts';

const mebibyte = 1024 * 1024;
const pace = 10_000_000;

/** Additional memory for many clients at once. */
export const memory: Goal = {
  name: 'memory',
  method:
    'A fresh service for each round, warmed up with one file and one ZIP; then 64 connections of the epoll client, each taking 10 MB/s of the 1 GiB file for five seconds, or eight connections that fetch the ZIP of 10,000 members of 10 KiB as fast as it comes. Growth: the highest resident memory of the process (each 50 ms) less that before.',
  run: async (bench) => {
    const seconds = bench.options.quick ? 2 : 5;
    const { many, single } = bench.sizes;
    const paced = await growth(bench, (service) =>
      bench.client(service, '/measurements/single/files/0', {
        connections: 64,
        requests: 64,
        pace,
        ranges: { size: Math.min(pace * seconds, single.size), first: 0 },
      }),
    );
    const archives = await growth(bench, (service) =>
      bench.client(service, `/measurements/${many.name}`, { connections: 8, requests: bench.options.quick ? 8 : 24 }),
    );
    return {
      rows: [
        spreadRow('64 clients at 10 MB/s each', 'more memory', spreadOf(paced), { atMost: 32, unit: 'MiB' }),
        spreadRow('eight ZIPs of 10,000 members at once', 'more memory', spreadOf(archives), {
          atMost: 64,
          unit: 'MiB',
        }),
      ],
      details: [],
    };
  },
};

/** The growth, in MiB, of one fresh service for each round. */
async function growth(bench: Bench, load: (service: OurService) => Promise<Run>): Promise<readonly number[]> {
  const grown: number[] = [];
  for (let round = 0; round < bench.options.rounds; round += 1) {
    const service = await bench.restartService();
    await bench.client(service, '/measurements/single/files/0');
    await bench.client(service, `/measurements/${bench.sizes.zipSmall.name}`);
    await wait(1000);
    const before = residentBytes(service.pid);
    let highest = before;
    const watch = setInterval(() => (highest = Math.max(highest, residentBytes(service.pid))), 50);
    try {
      await load(service);
    } finally {
      clearInterval(watch);
    }
    grown.push((highest - before) / mebibyte);
  }
  return grown;
}
