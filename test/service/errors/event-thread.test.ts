import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { eventPreparer } from '../../../src-main/service/errors/event-thread.ts';
import { prepareEvent } from '../../../src-main/service/errors/prepare-event.ts';
import { context } from './normalised.ts';
import { sentEvent } from './sent-event.ts';

let preparer = eventPreparer();
afterEach(async () => {
  await preparer.close();
  preparer = eventPreparer();
});

const bodies = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, at) => Buffer.from(JSON.stringify(sentEvent({ message: `\u{1f321} error ${at}` }))));
const prepare = async (cohort: readonly Buffer[]) => Promise.allSettled(cohort.map(async (body) => preparer.prepare(body, context)));
/** What says where an event was read: the thread hands its JSON over. */
const kinds = (found: Awaited<ReturnType<typeof prepare>>) => [
  ...new Set(found.map((one) => (one.status === 'fulfilled' ? typeof one.value?.payload : one.status))),
];

it('a full cohort is read on the thread, each event as it would be here', async () => {
  const cohort = bodies(16);
  const found = await prepare(cohort);
  for (const [at, body] of cohort.entries()) {
    const here = prepareEvent(body, context);
    const value = { ...here, payload: JSON.stringify(here?.payload), group: { ...here?.group, hash: new Uint8Array(here?.group.hash ?? []) } };
    expect(found[at]).toEqual({ status: 'fulfilled', value });
  }
});

it('fewer events are read where they are', async () => {
  expect(kinds(await prepare(bodies(11)))).toEqual(['object']);
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
