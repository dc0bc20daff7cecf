import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Fetch, FetchPage } from '../../../src-main/service/contract/fetches.ts';
import type { FetchSettings } from '../../../src-main/service/contract/fetch-settings.ts';
import type { RemoteServer } from '../../../src-main/service/contract/servers.ts';
import { spreadRow, type Goal } from '../goals/goal.ts';
import { startNginx } from '../servers/nginx.ts';
import type { Server } from '../servers/server.ts';
import { spreadOf } from '../statistics.ts';
import type { FetchBench } from './fetch-bench.ts';
import { startWindowApp, type WindowApp } from './window-app.ts';
import { delaysOfInput } from './window-input.ts';

const inputs = 300;
const listed = 500;
const fileName = 'file-000000.bin';
const api = '/api/v4/local';
/** Milliseconds for the disk to settle after the removals and writes of the previous round. */
const settling = 3000;
/**
 * The server has the lowest priority, because for users it is another computer: at equal priority
 * it would take processor time from the window.
 */
const ofAnotherMachine = 19;

/** Whether the window responds while bytes are received at full speed. */
export const windowAnswers: Goal<FetchBench> = {
  name: 'window',
  method: `The desktop application under Xvfb, its list of ${listed} transfers in front, with ${inputs} key presses and turns of the wheel a round, given by the X server: p99 of the time from an input's time stamp to the frame after it, first at rest, then while it fetches large files from nginx one after the other without a limit. nginx, which elsewhere is another computer, runs at the lowest priority, and what has come is removed between the rounds.`,
  run: async (bench) => {
    const folder = path.join(bench.into, '..', 'window');
    mkdirSync(folder, { recursive: true });
    const remote = await startNginx(folder, bench.root, ofAnotherMachine);
    const app = await startWindowApp(folder).catch(async (error: unknown) => {
      await remote.stop();
      throw error;
    });
    try {
      const queue = await fillList(app, remote, folder);
      const rest: number[] = [];
      const busy: number[] = [];
      const rates: number[] = [];
      for (let round = 0; round < bench.options.rounds; round += 1) {
        await wait(settling);
        rest.push(p99(await delaysOfInput(app, inputs)));
        const fetching = await queue.fetchOn();
        busy.push(p99(await delaysOfInput(app, inputs)));
        rates.push(await fetching.stop());
      }
      const none = { cpu: '-', others: '-' };
      const spread = (values: readonly number[]): string =>
        `${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)}`;
      const figure = (values: readonly number[]): string => spreadOf(values).median.toFixed(0);
      return {
        rows: [
          spreadRow('input to frame while it fetches, p99', 'the window', spreadOf(busy), { atMost: 50, unit: 'ms' }),
        ],
        details: [
          {
            work: 'the window',
            variant: 'input to frame at rest, p99',
            figure: `${figure(rest)} ms`,
            spread: spread(rest),
            ...none,
          },
          {
            work: 'the window',
            variant: 'what came meanwhile',
            figure: `${figure(rates)} MB/s`,
            spread: spread(rates),
            ...none,
          },
        ],
      };
    } finally {
      await app.stop();
      await remote.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function p99(delays: readonly number[]): number {
  const sorted = delays.toSorted((a, b) => a - b);
  if (sorted.length < inputs * 0.9) throw new Error(`only ${sorted.length} of ${inputs} inputs have come`);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}

/** A list that can be scrolled, of large files that are fetched one after the other. */
async function fillList({ api: ask, choose, page }: WindowApp, remote: Server, folder: string) {
  const settings = await ask<FetchSettings>('GET', `${api}/fetch-settings`);
  await ask('PUT', `${api}/fetch-settings`, { ...settings, at_most: 2 });
  const server = await ask<RemoteServer>('POST', `${api}/servers`, {
    name: 'nginx',
    base_url: `http://127.0.0.1:${remote.port}`,
  });
  const targets = Array.from({ length: listed }, (_, number) => path.join(folder, 'fetched', String(number)));
  await choose(targets);
  for (const target of targets) {
    mkdirSync(target, { recursive: true });
    await ask<Fetch>('POST', `${api}/fetches`, {
      server_id: server.id,
      measurement_id: 'single',
      what: 'files',
      target,
      paused: true,
    });
  }
  await page.evaluate(() => history.pushState(null, '', '/ui/transfers'));
  await page.reload();
  await page.getByRole('grid', { name: 'Transfers' }).waitFor();
  const everyFetch = (action: 'pause' | 'resume') => ask('POST', `${api}/fetches/actions`, { action, ids: 'all' });
  const bytes = async (): Promise<number> =>
    (await ask<FetchPage>('GET', `${api}/fetches?limit=${listed}`)).items.reduce(
      (sum, { bytes_done: done }) => sum + done,
      0,
    );

  /**
   * Lets the queue run. No request is sent to the page meanwhile, because it would compete with the
   * inputs.
   */
  async function fetchOn() {
    const before = await bytes();
    const started = performance.now();
    await everyFetch('resume');
    return {
      /** @returns MB per second. */
      stop: async (): Promise<number> => {
        await everyFetch('pause');
        const seconds = (performance.now() - started) / 1000;
        const rate = ((await bytes()) - before) / seconds / 1e6;
        // Not during the run: it blocks all processors for moments, and users do not remove files
        // that are being fetched.
        // being fetched.
        for (const target of targets.filter((one) => existsSync(path.join(one, 'single', fileName)))) {
          targets.splice(targets.indexOf(target), 1);
          await rm(target, { recursive: true });
        }
        return rate;
      },
    };
  }
  return { fetchOn };
}
