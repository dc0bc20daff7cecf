import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { mkdirSync } from 'node:fs';
import type { Fetch, FetchPage } from '../../../src-main/service/contract/fetches.ts';
import type { RemoteServer } from '../../../src-main/service/contract/servers.ts';
import { spreadRow, type Goal } from '../goals/goal.ts';
import { residentBytes } from '../servers/server.ts';
import { spreadOf } from '../statistics.ts';
import type { FetchBench } from './fetch-bench.ts';

const queued = 10_000;
const api = '/api/v4/local';

/** Memory used by a long queue. */
export const queueMemory: Goal<FetchBench> = {
  name: 'memory',
  method: `A fresh service for each round that finds ${queued.toLocaleString('en')} fetches in its queue: first all are paused, then it works on three at a time, held at 50 MB/s together, for three seconds. The highest resident memory of its process, each 50 ms; what a service without a queue takes is measured before.`,
  run: async (bench) => {
    const empty = await highest(bench, 1000);
    await fillQueue(bench);
    const paused: number[] = [];
    const running: number[] = [];
    for (let round = 0; round < bench.options.rounds; round += 1) {
      await bench.restartService();
      paused.push(await highest(bench, 1000));
      await must(bench, 'POST', `${api}/fetches/actions`, { action: 'resume', ids: 'all' });
      running.push(await highest(bench, 3000));
      await must(bench, 'POST', `${api}/fetches/actions`, { action: 'pause', ids: 'all' });
    }
    const work = `${queued.toLocaleString('en')} fetches in the queue`;
    const limit = { atMost: 200, unit: 'MB' };
    const none = { spread: '-', cpu: '-', others: '-' };
    return {
      rows: [
        spreadRow(work, 'resident memory', spreadOf(paused), limit),
        spreadRow(`${work}, three running`, 'resident memory', spreadOf(running), limit),
      ],
      details: [
        { work: 'our service without a queue', variant: 'resident memory', figure: `${empty.toFixed(0)} MB`, ...none },
      ],
    };
  },
};

async function fillQueue(bench: FetchBench): Promise<void> {
  const server = await must<RemoteServer>(bench, 'POST', `${api}/servers`, {
    name: 'nginx',
    base_url: `http://127.0.0.1:${bench.nginx.port}`,
  });
  const settings = await must<Record<string, unknown>>(bench, 'GET', `${api}/fetch-settings`);
  await must(bench, 'PUT', `${api}/fetch-settings`, { ...settings, at_most: 3, speed_limit: 50_000_000 });
  for (let number = 0; number < queued; number += 1) {
    const target = path.join(bench.into, 'queue', String(number));
    mkdirSync(target, { recursive: true });
    await must<Fetch>(bench, 'POST', `${api}/fetches`, {
      server_id: server.id,
      measurement_id: 'single',
      what: 'files',
      target,
      paused: true,
    });
  }
  const page = await must<FetchPage>(bench, 'GET', `${api}/fetches?filter=paused&limit=1`);
  if (page.counts.paused !== queued)
    throw new Error(`${page.counts.paused} fetches are in the queue, and not ${queued}`);
}

/** The highest resident memory within some milliseconds, MB. */
async function highest(bench: FetchBench, milliseconds: number): Promise<number> {
  let peak = 0;
  for (let at = 0; at < milliseconds; at += 50) {
    peak = Math.max(peak, residentBytes(bench.service().pid));
    await wait(50);
  }
  return peak / 1e6;
}

async function must<Body>(bench: FetchBench, method: string, url: string, body?: unknown): Promise<Body> {
  const answer = await bench.service().throughWindow(method, url, body);
  if (answer.status >= 300)
    throw new Error(`${method} ${url} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body as Body;
}
