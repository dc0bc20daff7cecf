import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SettingsStore } from '../../../src-main/service/database/settings-store.ts';
import { retain } from '../../../src-main/service/errors/retention/retention.ts';
import { confirmClock, RetentionClock } from '../../../src-main/service/database/retention-clock.ts';
import { startIngestWorld } from '../errors/ingest-world.ts';
import { sentEvent } from '../errors/sent-event.ts';
import { startTestService, type TestService } from '../start.ts';

const hour = 3600_000;
const day = 24 * hour;
const start = Date.UTC(2026, 8, 1);
const quiet = { warn: () => {}, info: () => {} };

describe('L4: the time that retention compares the age of rows with', () => {
  let service: TestService;
  let settings: SettingsStore;
  let [wall, up] = [start, 1000];
  const run = (): RetentionClock =>
    new RetentionClock({ settings, log: quiet, wallMs: () => wall, uptimeMs: () => up });
  const pass = (days: number): void => {
    wall += days * day;
    up += days * day;
  };
  beforeEach(async () => {
    service = await startTestService();
    settings = service.services.settings;
    await settings.set('retention_clock', String(start));
    [wall, up] = [start, 1000];
  });
  afterEach(async () => service.end());

  test('L4: is the time of the machine while that advances normally', async () => {
    const clock = run();
    for (let looks = 0; looks < 100; looks += 1) {
      expect(await clock.now()).toBe(wall);
      pass(3);
    }
    expect(clock.daysAhead).toBe(0);
  });

  test('L4: follows a jump only when as much time has passed', async () => {
    const clock = run();
    await clock.now();
    wall += 90 * day;
    expect(await clock.now()).toBe(start);
    expect(clock.daysAhead).toBe(90);
    pass(10);
    expect(await clock.now()).toBe(start + 10 * day);
    // A restarted service keeps it.
    expect(await run().now()).toBe(start + 10 * day);
    wall -= 90 * day;
    expect(await clock.now()).toBe(wall);
    expect(clock.daysAhead).toBe(0);
  });

  test('L4: follows when an administrator confirms, here or in another process', async () => {
    const clock = run();
    await clock.now();
    wall += 90 * day;
    await clock.now();
    await clock.confirm();
    // A service started right after it follows too.
    expect(await run().now()).toBe(wall);
    expect([clock.daysAhead, await clock.now()]).toEqual([0, wall]);
    wall += 90 * day;
    await clock.now();
    expect(clock.daysAhead).toBe(90);
    await confirmClock(settings, wall);
    expect([await clock.now(), clock.daysAhead]).toEqual([wall, 0]);
  });

  test('L4: follows after a holiday, not after a dead battery', async () => {
    await run().now();
    wall += 13 * day;
    up = 60_000;
    expect(await run().now()).toBe(wall);
    wall += 90 * day;
    expect(await run().now()).toBe(wall - 90 * day);
  });

  test('L4: recovers from a clock that was set to the past', async () => {
    const clock = run();
    await clock.now();
    wall -= 5000 * day;
    expect(await clock.now()).toBe(wall);
    up += day;
    wall += 5001 * day;
    expect([await clock.now(), clock.daysAhead]).toEqual([wall, 0]);
  });
});

test('L4: a service whose clock jumped ahead removes nothing, tells administrators, and resumes when one confirms', async () => {
  const world = await startIngestWorld();
  const event = sentEvent();
  const alice = await world.service.user('alice', true);
  expect((await world.send('store', JSON.stringify(event))).status).toBe(200);
  await expect.poll(() => world.service.services.settings.get('retention_clock')).not.toBeNull();
  await world.service.stop();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 200 * day + hour });
  const service = await startTestService({ dataDir: world.service.services.config.dataDir });
  try {
    const ask = async (method: string, url: string): Promise<Response> =>
      fetch(`${service.url}${url}`, {
        method,
        headers: { authorization: `Bearer ${await service.token(alice, ['api'])}` },
      });
    const status = async (): Promise<{ readonly clock_ahead_days: number }> =>
      (await (await ask('GET', '/api/v4/service')).json()) as { readonly clock_ahead_days: number };
    const removeOld = async (): Promise<void> =>
      retain(
        { ...service.services, freeBytes: async () => Infinity, stopped: () => false },
        await service.services.retentionClock.now(),
      );
    await removeOld();
    expect(world.event(event.event_id)).not.toBeNull();
    expect((await status()).clock_ahead_days).toBe(200);
    expect((await ask('POST', '/api/v4/service/clock')).status).toBe(204);
    expect((await status()).clock_ahead_days).toBe(0);
    await removeOld();
    expect(world.event(event.event_id)).toBeNull();
  } finally {
    vi.useRealTimers();
    world.database.close();
    await service.end();
    await rm(world.service.dir, { recursive: true, force: true });
  }
});
