import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fetch } from '../../../src-main/service/contract/fetches.ts';
import type { RemoteServer } from '../../../src-main/service/contract/servers.ts';
import { spreadRow, type Goal } from '../goals/goal.ts';
import { spreadOf } from '../statistics.ts';
import type { FetchBench } from './fetch-bench.ts';
import { startWindowApp, type WindowApp } from './window-app.ts';
import { delaysOfInput } from './window-input.ts';

const inputs = 300;
const listed = 500;
const api = '/api/v4/local';

/** Whether the window answers while bytes come as fast as the machine gives. */
export const windowAnswers: Goal<FetchBench> = {
  name: 'window',
  method: `The desktop application under Xvfb, its list of ${listed} transfers in front, with ${inputs} key presses and turns of the wheel a round: p99 of the time from an input's time stamp to the frame after it, first at rest, then while it fetches large files from nginx one after the other without a limit.`,
  run: async (bench) => {
    const folder = path.join(bench.into, '..', 'window');
    const app = await startWindowApp(folder);
    try {
      const queue = await fillList(app, bench, folder);
      const rest: number[] = [];
      const busy: number[] = [];
      const rates: number[] = [];
      for (let round = 0; round < bench.options.rounds; round += 1) {
        rest.push(p99(await delaysOfInput(app.page, inputs)));
        const fetching = queue.fetchOn();
        busy.push(p99(await delaysOfInput(app.page, inputs)));
        rates.push(await fetching.stop());
      }
      const none = { cpu: '-', others: '-' };
      const spread = (values: readonly number[]): string => `${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)}`;
      const figure = (values: readonly number[]): string => spreadOf(values).median.toFixed(0);
      return {
        rows: [spreadRow('input to frame while it fetches, p99', 'the window', spreadOf(busy), { atMost: 50, unit: 'ms' })],
        details: [
          { work: 'the window', variant: 'input to frame at rest, p99', figure: `${figure(rest)} ms`, spread: spread(rest), ...none },
          { work: 'the window', variant: 'what came meanwhile', figure: `${figure(rates)} MB/s`, spread: spread(rates), ...none },
        ],
      };
    } finally {
      await app.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function p99(delays: readonly number[]): number {
  const sorted = delays.toSorted((a, b) => a - b);
  if (sorted.length < inputs * 0.9) throw new Error(`only ${sorted.length} of ${inputs} inputs have come`);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}

/** A list that can be scrolled, and large files that are fetched again and again. */
async function fillList({ api: ask, page }: WindowApp, bench: FetchBench, folder: string) {
  const server = await ask<RemoteServer>('POST', `${api}/servers`, { name: 'nginx', base_url: `http://127.0.0.1:${bench.nginx.port}` });
  let made = 0;
  const add = async (paused: boolean): Promise<Fetch> => {
    made += 1;
    const target = path.join(folder, 'fetched', String(made));
    mkdirSync(target, { recursive: true });
    return ask<Fetch>('POST', `${api}/fetches`, { server_id: server.id, measurement_id: 'single', what: 'files', target, paused });
  };
  for (let number = 0; number < listed; number += 1) await add(true);
  await page.evaluate(() => history.pushState(null, '', '/ui/transfers'));
  await page.reload();
  await page.getByRole('grid', { name: 'Transfers' }).waitFor();

  /** Two at once, and another when one is done, which is then removed from the disk. */
  function fetchOn() {
    const stopping = new AbortController();
    let bytes = 0;
    const started = performance.now();
    const loop = async (): Promise<number> => {
      const running = new Map<number, string>();
      while (!stopping.signal.aborted) {
        while (running.size < 2) {
          const { id, target } = await add(false);
          running.set(id, target);
        }
        await wait(300);
        for (const [id, target] of running) {
          const { state, bytes_done: done } = await ask<Fetch>('GET', `${api}/fetches/${id}`);
          if (state !== 'done') continue;
          bytes += done;
          running.delete(id);
          rmSync(target, { recursive: true, force: true });
        }
      }
      const seconds = (performance.now() - started) / 1000;
      for (const id of running.keys()) bytes += (await ask<Fetch>('GET', `${api}/fetches/${id}`)).bytes_done;
      if (running.size > 0) await ask('POST', `${api}/fetches/actions`, { action: 'remove', ids: [...running.keys()] });
      for (const target of running.values()) rmSync(target, { recursive: true, force: true });
      return bytes / seconds / 1e6;
    };
    const rate = loop();
    return {
      stop: async (): Promise<number> => {
        stopping.abort();
        return rate;
      },
    };
  }
  return { fetchOn };
}
