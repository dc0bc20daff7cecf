import { expect, test, vi } from 'vitest';
import { bareApp } from './bare-app.ts';

test('a start that has much to clean up may take minutes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const app = await bareApp();
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
