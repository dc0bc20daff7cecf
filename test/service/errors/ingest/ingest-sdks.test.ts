import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIngestWorld, type IngestWorld } from '../ingest-world.ts';
import { plainBody, readdressed, sdkRequests, type SdkRequest } from './sdk-requests.ts';
import { fieldsOf, leaves, sentEvent } from './sent-fields.ts';

let world: IngestWorld;
let first = 0;
beforeAll(async () => {
  world = await startIngestWorld();
  first = Date.now();
});
afterAll(async () => world.end());

async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    // Without Content-Length, as Node's SDK sends it; the others are not harmed by it. And no header that the client did not send.
    const request = http.request(url, { method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** The lines of an envelope: no recorded payload has a line feed in it. */
function linesOf(request: SdkRequest): Record<string, unknown>[] {
  const parts = plainBody(request).toString().trimEnd().split('\n');
  return parts.map((part) => fieldsOf(JSON.parse(part)));
}

/** The event in a request with the header of its envelope; null when it has none. */
function sentIn(
  request: SdkRequest,
): { readonly payload: Record<string, unknown>; readonly header: Record<string, unknown> } | null {
  const [header = {}, ...items] = linesOf(request);
  if (!request.url.includes('/envelope')) return { payload: header, header: {} };
  const payload = items.find((_item, index) => items[index - 1]?.['type'] === 'event');
  return payload ? { payload, header } : null;
}

// Fields that the contract lacks; every other one that was sent is stored.
const notKept = new Set([
  '_meta.exception.values.0.stacktrace.frames.0.vars..len',
  'breadcrumbs.*.timestamp',
  'breadcrumbs.values.*.timestamp',
  'timestamp',
  'exception.values.*.mechanism.type',
  'exception.values.*.mechanism.data.code',
  'exception.values.*.thread_id',
  'exception.values.*.stacktrace.frames.*.instruction_addr',
  'exception.values.*.stacktrace.frames.*.native',
  'exception.values.*.stacktrace.frames.*.package',
  'exception.values.*.stacktrace.frames.*.project_root',
  'threads.values.*.daemon',
  'threads.values.*.priority',
  'threads.values.*.stacktrace.frames.*.native',
  'threads.values.*.stacktrace.frames.*.project_root',
  'threads.values.*.stacktrace.snapshot',
  'threads.values.*.state',
  'project',
  'sdk.integrations.*',
  'sdk.packages.*.name',
  'sdk.packages.*.version',
  'type',
  'user.segment',
  'modules.',
]);

describe.each(sdkRequests().map((request, index) => [index, request.sdk, request] as const))(
  'request %i, of %s',
  (_index, _sdk, request) => {
    it('is answered with 200 and the id', async () => {
      const { url, headers, body } = readdressed(request, {
        url: world.service.url,
        projectId: world.projectId,
        publicKey: world.publicKey,
      });
      const answer = await post(url, headers, body);
      expect(answer.status, answer.body).toBe(200);
      const sent = sentIn(request);
      expect(JSON.parse(answer.body)).toEqual(sent ? { id: sent.payload['event_id'] } : {});
    });

    it('is stored with every field where it belongs', () => {
      const sent = sentIn(request);
      if (!sent) return;
      const event = world.event(String(sent.payload['event_id']));
      expect(event).toMatchObject(sentEvent(sent.payload, sent.header));
      const breadcrumbs = leaves(sent.payload['breadcrumbs']).filter(([path]) => path.endsWith('message'));
      expect(event?.breadcrumbs.map((one) => one.message)).toEqual(breadcrumbs.map((one) => one[1]));
    });

    it('loses nothing but what is named', () => {
      const sent = sentIn(request);
      if (!sent) return;
      const stored = JSON.stringify(world.event(String(sent.payload['event_id'])));
      const isStored = (value: unknown) =>
        typeof value === 'string'
          ? stored.includes(JSON.stringify(value.replace(/\n$/, '')).slice(1, -1))
          : value === null || stored.includes(JSON.stringify(value));
      const lost = leaves(sent.payload).filter(([path, value]) => !notKept.has(path) && !isStored(value));
      expect(lost).toEqual([]);
    });

    it('has times by our clock', () => {
      const sent = sentIn(request);
      if (!sent) return;
      const event = world.event(String(sent.payload['event_id']));
      const at = (value: unknown): number => {
        if (typeof value === 'number') return Math.round(value * 1000);
        return Date.parse(String(value).endsWith('Z') ? String(value) : `${String(value)}Z`);
      };
      const received = Date.parse(event?.received_at ?? '');
      expect(received).toBeGreaterThanOrEqual(first);
      const sentAt = sent.header['sent_at'];
      const occurred = at(sent.payload['timestamp']) + (sentAt === undefined ? 0 : received - at(sentAt));
      const isPlausible = occurred > received - 30 * 86_400_000 && occurred < received + 60_000;
      expect(Math.abs(Date.parse(event?.occurred_at ?? '') - (isPlausible ? occurred : received))).toBeLessThanOrEqual(
        1,
      );
    });
  },
);

it('has counted the events, their users and the sessions', () => {
  const count = sdkRequests().filter((request) => sentIn(request)).length;
  expect(
    world.rows(
      'SELECT sum(events) AS errors, (SELECT count(*) FROM error_events) AS rows, max(users) AS users FROM errors',
    ),
  ).toEqual([{ errors: count, rows: count, users: 1 }]);
  expect(world.rows("SELECT sum(count) AS count FROM ingest_counts WHERE outcome = 'accepted'")).toEqual([{ count }]);
  expect(world.rows('SELECT events FROM client_keys')).toEqual([{ events: count }]);
  // Java 1, Node 2 (one with an error), Python 1, Rust 2 (one that crashed).
  expect(
    world.rows(
      'SELECT release, environment, sum(sessions) AS sessions, sum(crashed) AS crashed, sum(errored) AS errored FROM release_days GROUP BY release, environment',
    ),
  ).toEqual([{ release: 'lab@1.0.0', environment: 'lab', sessions: 6, crashed: 1, errored: 1 }]);
  expect(world.rows('SELECT count(DISTINCT user_hash) AS users, max(crashed) AS crashed FROM release_users')).toEqual([
    { users: 1, crashed: 1 },
  ]);
});
