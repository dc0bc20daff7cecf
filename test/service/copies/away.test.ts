import pino from 'pino';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newCopy } from '../../../src-main/service/copies/add-copies.ts';
import { CopyQueue } from '../../../src-main/service/copies/queue/copy-queue.ts';
import type { Clock } from '../../../src-main/service/fetching/queue/clock.ts';
import { openDatabase } from '../../../src-main/service/database/open.ts';
import { storeContext } from '../../../src-main/service/database/store-context.ts';
import { OwnErrors } from '../../../src-main/service/own-errors/own-errors.ts';
import { createServices, type Services } from '../../../src-main/service/services.ts';
import { addMeasurement } from '../fixture-measurement.ts';
import { startTestService, type TestService } from '../start.ts';
import { startAlteringProxy, type AlteringProxy } from './altering-proxy.ts';

const dayMs = 86_400_000;

/** A clock that runs as fast as somebody turns it. */
class TurnedClock implements Clock {
  #at = Date.UTC(2026, 0, 1);
  #timers: { readonly at: number; readonly work: () => void }[] = [];
  readonly now = (): number => this.#at;
  readonly steady = (): number => this.#at;
  readonly after = (milliseconds: number, work: () => void): (() => void) => {
    const timer = { at: this.#at + milliseconds, work };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  };

  /** Goes on to the next timer, or by three minutes if that is later. */
  turn(): void {
    const next = Math.min(...this.#timers.map(({ at }) => at));
    this.#at = Math.max(this.#at + 180_000, Number.isFinite(next) ? next : 0);
    const due = this.#timers.filter(({ at }) => at <= this.#at);
    this.#timers = this.#timers.filter(({ at }) => at > this.#at);
    for (const { work } of due) work();
  }

  /** Without running anything in between, as a machine that sleeps. */
  jump(milliseconds: number): void {
    this.#at += milliseconds;
  }
}

const ids = ['run-1', 'run-2', 'run-3'];
let far: TestService;
let proxy: AlteringProxy;
let dir: string;
let connection: ReturnType<typeof openDatabase>;
let services: Services;

/** The stores of a bench whose service does not run, so that only the queue of the test does. */
beforeAll(async () => {
  const here = await startTestService({ database: null });
  far = await startTestService({ database: null });
  proxy = await startAlteringProxy(far.url);
  const alice = await here.user('alice', true);
  for (const id of ids) await addMeasurement(here, alice, id, [{ path: 'a.bin', bytes: Buffer.alloc(100_000, 3) }]);
  const token = await far.token(await far.user('alice'), ['write_measurement']);
  await here.services.servers.create({ name: 'Facility', base_url: proxy.url, certificate: null, token });
  await here.stop();
  dir = here.dir;
  connection = openDatabase(here.services.config.dataDir);
  services = await createServices(
    here.services.config,
    storeContext(connection),
    pino({ level: 'silent' }),
    new OwnErrors(),
  );
});
afterAll(async () => {
  connection.close();
  await Promise.all([far.end(), proxy.end(), rm(dir, { recursive: true })]);
});

test('copies wait for a receiver that is away for 14 days, with few requests, and are sent when it is back', async () => {
  const clock = new TurnedClock();
  const server = await services.servers.byBaseUrl(proxy.url);
  if (!server) throw new Error('no server');
  proxy.alter = () => 'cut';
  const queue = new CopyQueue({ ...services, clock, random: () => 0.5 });
  await queue.start();
  for (const id of ids) {
    const row = await services.measurements.byId(id);
    if (row) await queue.add([newCopy(row, server, null)]);
  }
  const began = clock.now();
  while (clock.now() - began < 14 * dayMs) {
    clock.turn();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(await services.copyList.counts()).toEqual({ all: 3, active: 3, verified: 0, failed: 0 });
  // At most some requests in ten minutes for the server as a whole.
  expect(proxy.seen.length).toBeLessThan((14 * 24 * 60) / 5);
  expect(proxy.seen.length).toBeGreaterThan(100);
  proxy.alter = () => null;
  clock.jump(3 * dayMs);
  await expect
    .poll(
      async () => {
        clock.turn();
        return (await services.copyList.counts()).verified;
      },
      { timeout: 30_000, interval: 20 },
    )
    .toBe(3);
  await queue.stop();
});
