import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { eventPreparer } from '../../../../src-main/service/errors/ingest/event-thread.ts';
import { prepareEvent } from '../../../../src-main/service/errors/events/prepare-event.ts';
import { context } from '../normalise/normalised.ts';
import { nextWorker } from '../../workers/next-worker.ts';
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

it('when the thread is killed, its cohort is read here, a large event fails, and the next one finds another thread', async () => {
  const large = [Buffer.from(JSON.stringify(sentEvent({ message: 'large', extra: { list: 'x'.repeat(200_000) } })))];
  let started = nextWorker('events');
  const cohort = prepare(bodies(16));
  await (await started).terminate();
  expect(kinds(await cohort)).toEqual(['object']);
  started = nextWorker('events');
  const failing = prepare(large);
  await (await started).terminate();
  expect(await failing).toMatchObject([{ status: 'rejected', reason: { message: 'the thread events has ended' } }]);
  expect(kinds(await prepare(large))).toEqual(['object']);
  expect(kinds(await prepare(bodies(16)))).toEqual(['string']);
});

it('when the thread is closed, or has enough to do, events are read here', async () => {
  const closed = eventPreparer(true);
  await closed.close();
  const cohort = await Promise.all(bodies(16).map(async (body) => closed.prepare(body, context)));
  expect(cohort.map((event) => typeof event?.payload)).toEqual(Array(16).fill('object'));
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

it('what cannot be handed over is read here', async () => {
  const sdk = JSON.parse('['.repeat(8000) + ']'.repeat(8000)) as unknown;
  expect(kinds(await prepare(bodies(16), { ...context, sdk }))).toEqual(['object']);
});
