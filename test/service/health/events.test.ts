import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Job } from '../../../src-main/service/contract/jobs.ts';
import { atTheMachine } from '../../../src-main/service/http/principal.ts';
import { revokeToken } from '../../../src-main/service/tokens/revoke-token.ts';
import { startTestService } from '../start.ts';
import { listen, type EventStream } from '../accounts/event-stream.ts';
import { useFreshService } from '../use-service.ts';

const service = useFreshService();
let aliceId: number;
let bobId: number;
const streams: EventStream[] = [];

beforeEach(async () => {
  aliceId = await service.user('alice');
  bobId = await service.user('bob');
});
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

async function listenAs(token: string): Promise<EventStream> {
  const stream = await listen(service.url, { 'private-token': token });
  streams.push(stream);
  return stream;
}

async function jobOf(userId: number): Promise<Job> {
  const row = await service.services.jobs.create({ kind: 'verify', measurementId: 'm', userId, parameters: {} });
  return {
    id: row.id,
    kind: 'verify',
    measurement_id: 'm',
    state: 'running',
    files_done: 0,
    files_total: 0,
    bytes_done: 0,
    bytes_total: 0,
    bytes_per_second: 0,
    message: null,
    result: null,
    created_at: new Date().toISOString(),
    ended_at: null,
  };
}

test('needs a credential', async () => {
  const stream = await listen(service.url, {});
  streams.push(stream);
  expect(stream.status).toBe(401);
});

test('has each change, in order, with ids', async () => {
  const stream = await listenAs(await service.token(await service.user('steward', true), ['read_api']));
  expect(stream.status).toBe(200);
  expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  expect(stream.headers['cache-control']).toBe('no-store');
  expect(stream.headers['x-request-id']).toBeDefined();
  await expect.poll(() => stream.text()).toContain('retry: ');
  const job = await jobOf(aliceId);
  service.services.events.emit('changed', { topic: 'measurements', id: 'm' });
  service.services.events.emit('job', job);
  service.services.events.emit('rates', { up_bytes_per_second: 1, up_clients: 1 });
  await expect
    .poll(() => stream.events)
    .toEqual([
      { id: '1', name: 'changed', data: { topic: 'measurements', id: 'm' } },
      { id: '2', name: 'job', data: job },
      { id: '3', name: 'rates', data: { up_bytes_per_second: 1, up_clients: 1 } },
    ]);
});

test("shows nobody another user's jobs, nor the names of measurements", async () => {
  const [alice, bob] = [await listenAs(await service.token(aliceId)), await listenAs(await service.token(bobId))];
  const job = await jobOf(aliceId);
  service.services.events.emit('job', job);
  service.services.events.emit('changed', { topic: 'measurements', id: 'secret-project' });
  await expect.poll(() => alice.events.map(({ data }) => data)).toEqual([job, { topic: 'measurements' }]);
  await expect.poll(() => bob.events.map(({ data }) => data)).toEqual([{ topic: 'measurements' }]);
  expect(alice.text() + bob.text()).not.toContain('secret-project');
});

test('ends when its token is revoked, and when its user is no administrator any more', async () => {
  await service.user('second', true);
  const stewardId = await service.user('steward', true);
  const steward = await listenAs(await service.token(stewardId, ['read_api']));
  const inBrowser = await service.services.sessions.resolve(
    await service.services.sessions.begin(stewardId, null, null),
  );
  const stream = await listenAs(await service.token(aliceId));
  const other = await listenAs(await service.token(bobId));
  const [row] = await service.services.tokens.ofUser(aliceId);
  if (!row) throw new Error('no token');
  await revokeToken(service.services, row, atTheMachine);
  expect(await inBrowser?.stillValid()).toBe(true);
  await service.services.users.setAdmin(stewardId, false);
  service.services.changes.bump();
  expect(await inBrowser?.stillValid()).toBe(false);
  // Before the next check of the others, so that theirs has ended too.
  await Promise.all([stream.closed, steward.closed]);
  service.services.events.emit('changed', { topic: 'service' });
  await expect.poll(() => other.events).toContainEqual(expect.objectContaining({ data: { topic: 'service' } }));
});

test('ends when the service stops, and does not delay it', async () => {
  const own = await startTestService();
  const stream = await listen(own.url, { 'private-token': await own.token(await own.user('alice')) });
  await own.end();
  await stream.closed;
});

test('disconnects a client that does not read, while others continue', async () => {
  const slow = await listenAs(await service.token(await service.user('steward', true)));
  const quick = await listenAs(await service.token(bobId));
  const job = { ...(await jobOf(aliceId)), message: 'x'.repeat(1000) };
  slow.pause();
  // More than the kernel buffers for both ends of a loopback connection.
  const rounds = 64;
  for (let round = 0; round < rounds; round += 1) {
    for (let i = 0; i < 1000; i += 1) service.services.events.emit('job', job);
    await new Promise(setImmediate);
  }
  slow.resume();
  await slow.closed;
  expect(slow.events.length).toBeLessThan(rounds * 1000);
  service.services.events.emit('changed', { topic: 'tokens' });
  await expect.poll(() => quick.events.at(-1)?.data).toEqual({ topic: 'tokens' });
});
