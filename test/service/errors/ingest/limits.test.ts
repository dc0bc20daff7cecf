import { afterEach, describe, expect, it } from 'vitest';
import { IngestLimits } from '../../../../src-main/service/errors/ingest/ingest-limits.ts';
import { defaultIngestLimits } from '../../../../src-main/service/config/ingest-limit-settings.ts';
import { startIngestWorld, type IngestWorld } from '../ingest-world.ts';

let world: IngestWorld | null = null;
afterEach(async () => {
  await world?.end();
  world = null;
});

describe('the share of a key', () => {
  const settings = { ...defaultIngestLimits, keyBurst: 100, keyPerSecond: 10, burst: 1000, perSecond: 100 };
  const refusal = (limits: IngestLimits, key: number) => {
    try {
      limits.take(key);
      return null;
    } catch (error) {
      return error as { status: number; retryAfter: number };
    }
  };
  it('is used up by a burst and fills again; others have their own', () => {
    let now = 0;
    const limits = new IngestLimits(settings, () => now);
    for (let count = 0; count < 100; count += 1) expect(refusal(limits, 1)).toBeNull();
    // Not after the very next token: a tenth of the burst has to be there again.
    expect(refusal(limits, 1)).toMatchObject({ status: 429, retryAfter: 1 });
    expect(refusal(limits, 2)).toBeNull();
    now = 500;
    expect(refusal(limits, 1)).toMatchObject({ status: 429 });
    now = 1000;
    for (let count = 0; count < 10; count += 1) expect(refusal(limits, 1)).toBeNull();
    expect(refusal(limits, 1)).toMatchObject({ status: 429 });
    now = 1_000_000;
    for (let count = 0; count < 100; count += 1) expect(refusal(limits, 1)).toBeNull();
    expect(refusal(limits, 1)).not.toBeNull();
  });
  it('is divided by the replicas that are alive', () => {
    const limits = new IngestLimits(
      settings,
      () => 0,
      () => 4,
    );
    for (let count = 0; count < 25; count += 1) expect(refusal(limits, 1)).toBeNull();
    expect(refusal(limits, 1)).toMatchObject({ status: 429 });
  });
  it('ends where the installation has had its own', () => {
    const limits = new IngestLimits(settings, () => 0);
    const taken = Array.from({ length: 2000 }, (_, index) => refusal(limits, index % 50)).filter((one) => one === null);
    expect(taken).toHaveLength(1000);
  });
  it('asks to wait for seconds, and never for more than a minute', () => {
    const limits = new IngestLimits({ ...settings, keyPerSecond: 0.01 }, () => 0);
    for (let count = 0; count < 100; count += 1) limits.take(1);
    expect(refusal(limits, 1)?.retryAfter).toBe(60);
  });
});

const known = { keyId: 1 };
const stranger = { address: '192.0.2.1' };

describe('what is worked on', () => {
  it('is limited by number and by bytes, and gives its place back', () => {
    const limits = new IngestLimits({ ...defaultIngestLimits, waiting: 2, waitingBytes: 100 });
    const first = limits.begin(known);
    first.hold(60);
    const second = limits.begin(known);
    expect(() => limits.begin(known)).toThrow(expect.objectContaining({ status: 429, drop: 'busy' }));
    expect(() => second.hold(60)).toThrow(expect.objectContaining({ status: 429, drop: 'busy' }));
    second.release();
    first.release();
    const third = limits.begin(known);
    third.hold(100);
    expect(() => limits.begin(known)).toThrow();
    third.release();
    expect(() => limits.begin(known)).not.toThrow();
  });

  it('leaves three quarters to those who have named their client key', () => {
    const limits = new IngestLimits({ ...defaultIngestLimits, waiting: 8, waitingBytes: 100 });
    const busy = expect.objectContaining({ status: 429, drop: 'busy' });
    const first = limits.begin(stranger);
    first.hold(20);
    const second = limits.begin(stranger);
    expect(() => second.hold(20)).toThrow(busy);
    expect(() => limits.begin(stranger)).toThrow(busy);
    const third = limits.begin(known);
    third.hold(60);
    third.release();
    second.release();
    expect(() => limits.begin(stranger)).not.toThrow();
  });
});

it('a loop that sends more than its share gets 429 with Retry-After alone, and accepted and dropped are what was sent', async () => {
  world = await startIngestWorld({ ingestLimits: { keyBurst: 30, keyPerSecond: 0.5 } });
  const sending = world;
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_, index) =>
      sending.send('store', JSON.stringify({ message: `loop ${index}` })),
    ),
  );
  const refused = answers.filter((answer) => answer.status === 429);
  const taken = answers.filter((answer) => answer.status === 200);
  expect(taken.length + refused.length).toBe(100);
  expect(taken.length).toBeGreaterThanOrEqual(30);
  expect(taken.length).toBeLessThan(60);
  for (const { headers, body } of refused) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(headers.get('x-sentry-rate-limits')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(body).toMatchObject({ detail: expect.any(String), causes: [] });
  }
  await new Promise((resolve) => setTimeout(resolve, 1300));
  expect(
    sending.rows('SELECT outcome, sum(count) AS count FROM ingest_counts GROUP BY outcome ORDER BY outcome'),
  ).toEqual([
    { outcome: 'accepted', count: taken.length },
    { outcome: 'rate-limit', count: refused.length },
  ]);
  expect(sending.rows('SELECT 1 FROM error_events')).toHaveLength(taken.length);
});

it('what is counted and not yet written is written when the service stops', async () => {
  world = await startIngestWorld({ ingestLimits: { keyBurst: 1, keyPerSecond: 0.01 } });
  for (let count = 0; count < 5; count += 1) await world.send('store', '{}');
  await world.service.stop();
  expect(world.rows("SELECT count FROM ingest_counts WHERE outcome = 'rate-limit'")).toEqual([{ count: 4 }]);
});

it.each([
  ['ahead of the router', 'store', 'envelope'],
  ['by the router', '%73tore', '%65nvelope'],
])('A1: a 429 may be stored by a cache, or browsers keep its connection waiting: %s', async (_way, store, envelope) => {
  world = await startIngestWorld({ ingestLimits: { keyBurst: 1, keyPerSecond: 0.01 } });
  const collector = `${world.service.url}/api/v4/error_tracking/collector/api/${world.projectId}`;
  const post = async (kind: string, body: string) =>
    fetch(`${collector}/${kind}/?sentry_key=${world?.publicKey}`, { method: 'POST', body });
  expect((await post(store, '{"message":"a"}')).status).toBe(200);
  for (const refused of [await post(store, '{}'), await post(envelope, '{}\n')]) {
    expect([refused.status, refused.headers.get('cache-control'), refused.headers.get('pragma')]).toEqual([
      429,
      'no-cache',
      null,
    ]);
  }
});
