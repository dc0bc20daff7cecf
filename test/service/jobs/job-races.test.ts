import { expect, test } from 'vitest';
import type { NewJob } from '../../../src-main/service/jobs/jobs-store.ts';
import { type Life, resumable, settle, useJobs } from './jobs-scene.ts';

const scene = useJobs();
const { newLife } = scene;

/** A job that runs in a new process. */
async function runningJob(
  job: NewJob,
): Promise<Life & { readonly id: number; readonly state: () => Promise<string | undefined> }> {
  const life = newLife();
  const { id } = await life.runner.enqueue(job);
  await settle();
  return { ...life, id, state: async () => (await scene.jobs.byId(id))?.state };
}

test('a job that is resumed while it is still stopping goes on', async () => {
  const { id, runner, state } = await runningJob(resumable);
  const row = await scene.jobs.byId(id);
  if (!row) throw new Error('the job is gone');
  await Promise.all([runner.act(row, 'pause'), runner.act(row, 'resume')]);
  await settle();
  expect(await state()).toBe('running');
  await runner.stop();
});

test('a job that waits for space is cancelled, also when it was just about to wait', async () => {
  const { id, runner, state, bench } = await runningJob(resumable);
  const row = await scene.jobs.byId(id);
  if (!row) throw new Error('the job is gone');
  bench.open.get(id)?.end('must-pause');
  expect(await runner.act(row, 'cancel')).toMatchObject({ state: 'cancelled' });
  expect([await state(), bench.discarded]).toEqual(['cancelled', [id]]);
  await runner.stop();
});

test('a job that another process cancelled stays so when its work ends, and leaves nothing behind', async () => {
  const { id, runner, state, bench } = await runningJob(resumable);
  await scene.jobs.act(id, 'cancel', 'Cancelled');
  bench.open.get(id)?.end('succeed');
  await runner.ended(id);
  expect([await state(), bench.discarded]).toEqual(['cancelled', [id]]);
  await runner.stop();
});

test('a job that failed is tried again once, however often that is asked at once', async () => {
  const { id, runner, bench } = await runningJob(resumable);
  bench.open.get(id)?.end('fail');
  const failed = await runner.ended(id);
  const tries = await Promise.allSettled([runner.retry(failed), runner.retry(failed), runner.retry(failed)]);
  expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect((await scene.jobs.list('all', null)).length).toBe(2);
  await runner.stop();
});

test('an action on a job that is just being started is not lost', async () => {
  const life = newLife();
  const row = await life.runner.enqueue(resumable);
  expect(await life.runner.act(row, 'pause')).toMatchObject({ state: 'paused' });
  await settle();
  expect((await scene.jobs.byId(row.id))?.state).toBe('paused');
  await life.runner.stop();
});
