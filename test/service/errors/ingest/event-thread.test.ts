import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { RequestBatches } from '../../../../src-main/service/errors/events/request-batches.ts';
import { eventPreparer } from '../../../../src-main/service/errors/ingest/event-thread.ts';
import { prepareEvent } from '../../../../src-main/service/errors/events/prepare-event.ts';
import { context } from '../normalise/normalised.ts';
import { nextWorker } from '../../workers/next-worker.ts';
import { sentEvent } from '../sent-event.ts';

let preparer = eventPreparer(new RequestBatches(), true);
afterEach(async () => {
  await preparer.close();
  preparer = eventPreparer(new RequestBatches(), true);
});

const bodies = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, at) =>
    Buffer.from(JSON.stringify(sentEvent({ message: `\u{1f321} error ${at}` }))),
  );
const prepare = async (batch: readonly Buffer[], about = context) =>
  Promise.allSettled(batch.map(async (body) => preparer.prepare(body, about)));
/** Tells on which thread an event was read: the worker thread returns its JSON. */
const kinds = (found: Awaited<ReturnType<typeof prepare>>) => [
  ...new Set(found.map((one) => (one.status === 'fulfilled' ? typeof one.value?.payload : one.status))),
];

it('a full batch is read on the thread, each event as it would be here', async () => {
  const batch = bodies(16);
  const found = await prepare(batch);
  for (const [at, body] of batch.entries()) {
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
  preparer = eventPreparer(new RequestBatches(), false);
  expect(kinds(await prepare(bodies(16)))).toEqual(['object']);
});

it('what is no event, and what is only counted, takes nothing along', async () => {
  const batch = bodies(16);
  batch[3] = Buffer.from('no JSON');
  batch[7] = Buffer.from('{"type":"transaction"}');
  const found = await prepare(batch);
  expect(found[3]).toMatchObject({ status: 'rejected', reason: { status: 400, message: 'The event is not JSON.' } });
  expect(found[7]).toEqual({ status: 'fulfilled', value: null });
  expect(kinds(found.filter((_, at) => at !== 3 && at !== 7))).toEqual(['string']);
});

it('when the thread is killed, its batch is read here, a large event fails, and the next one finds another thread', async () => {
  const large = [Buffer.from(JSON.stringify(sentEvent({ message: 'large', extra: { list: 'x'.repeat(200_000) } })))];
  let started = nextWorker('events');
  const batch = prepare(bodies(16));
  await (await started).terminate();
  expect(kinds(await batch)).toEqual(['object']);
  started = nextWorker('events');
  const failing = prepare(large);
  await (await started).terminate();
  expect(await failing).toMatchObject([{ status: 'rejected', reason: { message: 'the thread events has ended' } }]);
  expect(kinds(await prepare(large))).toEqual(['object']);
  expect(kinds(await prepare(bodies(16)))).toEqual(['string']);
});

it('when the thread is closed, or has enough to do, events are read here', async () => {
  const closed = eventPreparer(new RequestBatches(), true);
  await closed.close();
  const batch = await Promise.all(bodies(16).map(async (body) => closed.prepare(body, context)));
  expect(batch.map((event) => typeof event?.payload)).toEqual(Array(16).fill('object'));
  const batches = [];
  for (let count = 0; count < 5; count += 1) {
    batches.push(prepare(bodies(16)));
    await turn();
  }
  expect((await Promise.all(batches)).flatMap(kinds)).toEqual(['string', 'string', 'string', 'string', 'object']);
});

it('behind a large event nobody waits', async () => {
  const large = prepare([
    Buffer.from(JSON.stringify(sentEvent({ message: 'large', extra: { list: 'x'.repeat(200_000) } }))),
  ]);
  expect(kinds(await prepare(bodies(16)))).toEqual(['object']);
  expect(kinds(await large)).toEqual(['object']);
  expect(kinds(await prepare(bodies(16)))).toEqual(['string']);
});

it('what cannot be handed over is read here', async () => {
  const sdk = JSON.parse('['.repeat(8000) + ']'.repeat(8000)) as unknown;
  expect(kinds(await prepare(bodies(16), { ...context, sdk }))).toEqual(['object']);
});
