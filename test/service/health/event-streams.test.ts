import { expect, it } from 'vitest';
import { startTestService } from '../start.ts';

it('the event streams of a user are limited; a refused one does not affect the others, and closing one makes room', async () => {
  const service = await startTestService();
  const closing = new AbortController();
  try {
    const [alice, bob] = [
      await service.token(await service.user('alice')),
      await service.token(await service.user('bob')),
    ];
    const listen = (token: string, signal?: AbortSignal) =>
      fetch(`${service.url}/api/v4/events`, {
        headers: { authorization: `Bearer ${token}` },
        ...(signal ? { signal } : {}),
      });
    const streams = await Promise.all(Array.from({ length: 50 }, () => listen(alice, closing.signal)));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await listen(alice);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    const other = await listen(bob);
    expect(other.status).toBe(200);
    await other.body?.cancel();
    closing.abort();
    await expect
      .poll(async () => {
        const again = await listen(alice);
        await again.body?.cancel();
        return again.status;
      })
      .toBe(200);
  } finally {
    closing.abort();
    await service.end();
  }
});
