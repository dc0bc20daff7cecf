import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ServiceEvents } from '../../../../src-main/service/contract/events.ts';
import type { Job } from '../../../../src-main/service/contract/jobs.ts';
import { addMeasurement } from '../../fixture-measurement.ts';
import { until } from '../../until.ts';
import { useTestService, useUser } from '../../use-service.ts';

const service = useTestService();
const alice = useUser(service, 'alice', { scopes: ['api'] });

async function verify(id: string): Promise<void> {
  const { id: job } = (await (await alice.send('POST', `/api/v4/measurements/${id}/verify`)).json()) as Job;
  await until(async () => {
    const jobs = (await (await alice.get('/api/v4/jobs')).json()) as Job[];
    return jobs.some((one) => one.id === job && one.ended_at !== null);
  }, 'the verification has ended');
}

/** The events of a stream as one growing text. */
async function listen(as: string): Promise<{ readonly text: () => string; readonly end: () => void }> {
  const leave = new AbortController();
  const response = await fetch(`${service.url}/api/v4/events`, {
    headers: { authorization: `Bearer ${as}` },
    signal: leave.signal,
  });
  let text = '';
  void (async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
  })().catch(() => {});
  await until(() => text.includes('heartbeat'), 'the stream is open');
  return { text: () => text, end: () => leave.abort() };
}

test('U4: a measurement that becomes degraded causes one event, by serving or verifying, and another only after it was intact', async () => {
  const told: ServiceEvents['degraded'][] = [];
  const unsubscribe = service.services.events.subscribe((name, event) => {
    if (name === 'degraded') told.push(event as ServiceEvents['degraded']);
  });
  const { id, root } = await addMeasurement(service, alice.id, 'run', [
    { path: 'a', bytes: 'a of run' },
    { path: 'b', bytes: 'b of run' },
  ]);
  await verify(id);
  expect(told).toEqual([]);
  await rm(path.join(root, 'a'));
  expect((await alice.get(`/measurements/${id}/files/0`)).status).toBe(404);
  const once = [{ measurement_id: id, title: (await service.services.measurements.byId(id))?.title }];
  expect(told).toEqual(once);
  await writeFile(path.join(root, 'b'), 'B OF RUN');
  await verify(id);
  await verify(id);
  expect(told).toEqual(once);
  await writeFile(path.join(root, 'a'), 'a of run');
  await writeFile(path.join(root, 'b'), 'b of run');
  await verify(id);
  expect(told).toEqual(once);
  await writeFile(path.join(root, 'b'), 'B OF RUN');
  await verify(id);
  expect(told).toEqual([...once, ...once]);
  unsubscribe();
});

test('U4: the event is for the owner and administrators', async () => {
  const bob = await service.token(await service.user('bob'), ['api']);
  const { id, root } = await addMeasurement(service, alice.id, 'private', [{ path: 'a', bytes: 'a of private' }]);
  const [ofAlice, ofBob] = [await listen(alice.token), await listen(bob)];
  await writeFile(path.join(root, 'a'), 'A OF PRIVATE');
  await verify(id);
  await until(() => ofAlice.text().includes('event: degraded'), 'the owner is told');
  service.services.events.emit('changed', { topic: 'backups' });
  await until(() => ofBob.text().includes('"backups"'), 'what came after has arrived');
  expect(ofAlice.text()).toContain(`"measurement_id":"${id}"`);
  expect(ofBob.text()).not.toContain(id);
  ofAlice.end();
  ofBob.end();
});
