import { expect, test, vi } from 'vitest';
import { usualDoorLimits } from '../../../src-main/service/http/door-limits.ts';
import { createApp } from '../../../src-main/service/http/server.ts';
import { createLogger } from '../../../src-main/service/logging.ts';
import { trustedProxies } from '../../../src-main/service/network/trusted-proxies.ts';

test('a start that has much to clear away may take minutes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const app = await createApp({
      log: createLogger('silent'),
      tls: null,
      proxies: trustedProxies([]),
      doorLimits: usualDoorLimits,
      hostAllowed: () => true,
      rewriteUrl: (address) => address,
    });
    let cleared = (): void => {};
    const clearing = new Promise<void>((resolve) => (cleared = resolve));
    const began = new Promise<void>((resolve) => {
      void app.register(async () => {
        resolve();
        await clearing;
      });
    });
    const ready = Promise.allSettled([app.ready()]);
    await began;
    vi.advanceTimersByTime(300_000);
    cleared();
    expect(await ready).toMatchObject([{ status: 'fulfilled' }]);
    await app.close();
  } finally {
    vi.useRealTimers();
  }
});
