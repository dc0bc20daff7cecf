import { expect, test } from 'vitest';
import { jobShape } from '../../../src-main/service/jobs/job-shape.ts';
import { listen } from '../accounts/event-stream.ts';
import { replicasOfTest } from '../postgres/replicas-of-test.ts';
import { useFreshWorld } from '../use-service.ts';

/** Two replicas, and a stream of events at the second one. */
async function startTwo() {
  const replicas = await replicasOfTest();
  const [first, second] = [await replicas.start(), await replicas.start()];
  const token = await first.token(await first.user('alice', true));
  const stream = await listen(second.url, { 'private-token': token });
  expect(stream.status).toBe(200);
  const end = async () => {
    stream.close();
    await replicas.end();
  };
  return { replicas, first, second, stream, end };
}

const world = useFreshWorld(startTwo);
const soon = { timeout: 10_000, interval: 20 };

test('a stream at one replica tells of what is done at another one', async () => {
  const token = await world.first.token(1);
  const answer = await fetch(`${world.first.url}/api/v4/personal_access_tokens/self`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(204);
  const heard = (name: string) => world.stream.events.filter((event) => event.name === name).map(({ data }) => data);
  await expect.poll(() => heard('changed'), soon).toContainEqual(expect.objectContaining({ topic: 'tokens' }));

  const { jobs, events } = world.first.services;
  const { id } = await jobs.create({ kind: 'export', measurementId: 'run', userId: 1, parameters: {} });
  await jobs.act(id, 'cancel', null);
  const row = await jobs.byId(id);
  if (row) events.emit('job', jobShape(row, undefined));
  await expect.poll(() => heard('job'), soon).toContainEqual(expect.objectContaining({ id, measurement_id: 'run' }));
});

test('many changes are few messages, and none comes back', async () => {
  const messages: string[] = [];
  world.replicas.client.on('notification', ({ payload = '' }) => messages.push(payload));
  await world.replicas.client.query('LISTEN benchport_messages');
  const own: string[] = [];
  world.second.services.events.subscribeOwn((name) => own.push(name));
  for (let at = 0; at < 2000; at += 1)
    world.first.services.events.emit('changed', { topic: 'measurements', id: `a-name-that-is-rather-long-${at}` });
  world.first.services.events.emit('rates', { up_bytes_per_second: 1, up_clients: 1 });
  const topics = () => world.stream.events.map(({ data }) => (data as { readonly id?: string }).id);
  // Beyond some hundreds, the list as a whole.
  await expect.poll(topics, soon).toContain(undefined);
  expect(topics()).toContain('a-name-that-is-rather-long-0');
  expect(messages.length).toBeGreaterThan(0);
  expect(messages.length).toBeLessThan(20);
  expect(own).toEqual([]);
  expect(world.stream.events.map(({ name }) => name)).not.toContain('rates');
});

test('a replica that stops still tells what has just been done there', async () => {
  for (let at = 0; at < 2; at += 1)
    world.first.services.events.emit('changed', { topic: 'measurements', id: `run-${at}` });
  await world.first.stop();
  const ids = () => world.stream.events.map(({ data }) => (data as { readonly id?: string }).id);
  await expect.poll(ids, soon).toEqual(expect.arrayContaining(['run-0', 'run-1']));
});
