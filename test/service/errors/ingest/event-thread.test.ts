import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter, once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from 'vitest';
import { createWorkerClient } from '../../../../src-main/service/workers/worker-client.ts';
import { eventPreparer } from '../../../../src-main/service/errors/ingest/event-thread.ts';
import { prepareEvent } from '../../../../src-main/service/errors/events/prepare-event.ts';
import { context } from '../normalise/normalised.ts';
import { workerFile } from '../../../../src-main/service/workers/worker-file.ts';
import { sentEvent } from '../sent-event.ts';

let preparer = eventPreparer(true);
afterEach(async () => {
  await preparer.close();
  preparer = eventPreparer(true);
});

const bodies = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, at) =>
    Buffer.from(JSON.stringify(sentEvent({ message: `\u{1f321} error ${at}` }))),
  );
const prepare = async (cohort: readonly Buffer[], about = context) =>
  Promise.allSettled(cohort.map(async (body) => preparer.prepare(body, about)));
/** What says where an event was read: the thread hands its JSON over. */
const kinds = (found: Awaited<ReturnType<typeof prepare>>) => [
  ...new Set(found.map((one) => (one.status === 'fulfilled' ? typeof one.value?.payload : one.status))),
];

it('a full cohort is read on the thread, each event as it would be here', async () => {
  const cohort = bodies(16);
  const found = await prepare(cohort);
  for (const [at, body] of cohort.entries()) {
    const here = prepareEvent(body, context);
    const value = {
      ...here,
      payload: JSON.stringify(here?.payload),
      group: { ...here?.group, hash: new Uint8Array(here?.group.hash ?? []) },
    };
    expect(found[at]).toEqual({ status: 'fulfilled', value });
  }
});

it('fewer events are read where they are', async () => {
  expect(kinds(await prepare(bodies(11)))).toEqual(['object']);
});

it('with a single processor all are', async () => {
  await preparer.close();
  preparer = eventPreparer(false);
  expect(kinds(await prepare(bodies(16)))).toEqual(['object']);
});

it('what is no event, and what is only counted, takes nothing along', async () => {
  const cohort = bodies(16);
  cohort[3] = Buffer.from('no JSON');
  cohort[7] = Buffer.from('{"type":"transaction"}');
  const found = await prepare(cohort);
  expect(found[3]).toMatchObject({ status: 'rejected', reason: { status: 400, message: 'The event is not JSON.' } });
  expect(found[7]).toEqual({ status: 'fulfilled', value: null });
  expect(kinds(found.filter((_, at) => at !== 3 && at !== 7))).toEqual(['string']);
});

it('when the thread ends, or has enough to do, events are read here', async () => {
  const ended = prepare(bodies(16));
  await turn();
  await preparer.close();
  expect(kinds(await ended)).toEqual(['object']);
  const cohorts = [];
  for (let count = 0; count < 5; count += 1) {
    cohorts.push(prepare(bodies(16)));
    await turn();
  }
  expect((await Promise.all(cohorts)).flatMap(kinds)).toEqual(['string', 'string', 'string', 'string', 'object']);
});

it('behind a large event nobody waits', async () => {
  const large = prepare([
    Buffer.from(JSON.stringify(sentEvent({ message: 'large', extra: { list: 'x'.repeat(200_000) } }))),
  ]);
  expect(kinds(await prepare(bodies(16)))).toEqual(['object']);
  expect(kinds(await large)).toEqual(['object']);
  expect(kinds(await prepare(bodies(16)))).toEqual(['string']);
});

it('what cannot be handed over is read here, and the thread still rests', async () => {
  const sdk = JSON.parse('['.repeat(8000) + ']'.repeat(8000)) as unknown;
  expect(kinds(await prepare(bodies(16), { ...context, sdk }))).toEqual(['object']);

  const ended = new EventEmitter();
  const started = (message: unknown): void =>
    void (message as { worker: Worker }).worker.once('exit', () => ended.emit('exit'));
  subscribe('worker_threads', started);
  const file = workerFile(
    new URL('../../../../src-main/service/errors/ingest/event-thread.ts', import.meta.url).href,
    'event-worker',
  );
  const thread = createWorkerClient<object, unknown>({ file, name: 'resting', maxHeapMb: 64, idleMs: 1 });
  try {
    await expect(thread.request({ bodies: sdk, events: [] })).rejects.toThrow(/call stack/);
    const exit = once(ended, 'exit');
    expect(await thread.request({ bodies: new Uint8Array(), events: [] })).toEqual([]);
    await exit;
  } finally {
    unsubscribe('worker_threads', started);
    await thread.close(new Error('the test ends'));
  }
});
