import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startIngestWorld, type IngestWorld } from '../ingest-world.ts';
import { envelopeOf, sentEvent } from '../sent-event.ts';

let world: IngestWorld;
beforeAll(async () => {
  world = await startIngestWorld({ ingestLimits: { keyBurst: 1, keyPerSecond: 0.001 } });
});
afterAll(async () => world.end());

interface Wish {
  readonly kind: string;
  readonly key?: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent once before. */
  readonly twice?: boolean;
}

// Only the address as SDKs write it is taken ahead of the router: one with an escaped letter means the same and goes the ordinary way.
const [quick, ordinary] = ['error_tracking', 'error%5Ftracking'];

let keys = 0;
/** A key may send one event here, so each request has its own. */
function freshKey(): string {
  keys += 1;
  const key = `bpk_${randomUUID().replaceAll('-', '')}`;
  world.database
    .prepare('INSERT INTO client_keys (project_id, public_key, created_at) VALUES (?, ?, ?)')
    .run(world.projectId, key, keys);
  return key;
}

async function send(name: string, { kind, key = freshKey(), body, headers = {}, twice = false }: Wish) {
  const url = `${world.service.url}/api/v4/${name}/collector/api/${world.projectId}/${kind}?sentry_key=${key}`;
  if (twice) await fetch(url, { method: 'POST', body, headers });
  const response = await fetch(url, { method: 'POST', body, headers });
  return {
    status: response.status,
    headers: [...response.headers].filter(([header]) => header !== 'date' && header !== 'x-request-id'),
    requestId: /^[0-9a-f-]{36}$/.test(response.headers.get('x-request-id') ?? ''),
    body: (await response.text()).replaceAll(/[0-9a-f]{32}/g, 'ID'),
  };
}

it.each<[string, number, () => Wish]>([
  ['an event', 200, () => ({ kind: 'store', body: JSON.stringify(sentEvent()) })],
  ['an envelope', 200, () => ({ kind: 'envelope/', body: envelopeOf({}, [{ type: 'event' }, sentEvent()]) })],
  ['an envelope without an event', 200, () => ({ kind: 'envelope', body: '{}\n' })],
  ['what is no JSON', 400, () => ({ kind: 'store', body: '{' })],
  [
    'a body that cannot be inflated',
    400,
    () => ({ kind: 'store', body: 'x', headers: { 'content-encoding': 'gzip' } }),
  ],
  ['an unknown key', 404, () => ({ kind: 'store', key: 'unknown', body: '{}' })],
  ['an event that is too large', 413, () => ({ kind: 'store', body: `"${'x'.repeat(1100 * 1024)}"` })],
  ['one event too many', 429, () => ({ kind: 'store', body: '{}', twice: true })],
])('%s is answered alike ahead of the router and behind it', async (_what, status, wish) => {
  const answer = await send(quick, wish());
  expect(answer).toMatchObject({ status, requestId: true });
  expect(answer).toEqual(await send(ordinary, wish()));
});

it('counts what is answered ahead of the router', async () => {
  const admin = await world.service.token(await world.service.user('root', true), ['read_api']);
  const counted = async () => {
    const text = await (
      await fetch(`${world.service.url}/-/metrics`, { headers: { authorization: `Bearer ${admin}` } })
    ).text();
    return Number(/^benchport_http_requests_total\{method="POST",status="2xx"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  const before = await counted();
  await send(quick, { kind: 'store', body: JSON.stringify(sentEvent()) });
  expect(await counted()).toBe(before + 1);
});
