import { describe, expect, test } from 'vitest';
import { jobRunner } from '../../../src-main/service/jobs/job-runner.ts';
import { startJob } from '../../../src-main/service/jobs/run-job.ts';
import type { Work, Works } from '../../../src-main/service/jobs/job-work.ts';
import { useTestService } from '../use-service.ts';

const service = useTestService();

const done: Work<unknown> = {
  run: async () => ({ message: null, result: null }),
  discard: async () => {},
  restarted: null,
  resumable: true,
};
const wish = (measurementId: string) => ({ kind: 'verify', measurementId, userId: null, parameters: {} }) as const;

/**
 * Simulates a full disk for the first write to a job by one method. @returns the number of
 * attempts.
 */
function fullAtFirst(method: 'start' | 'remember' | 'end', job: () => number): () => number {
  const { jobs } = service.services;
  const write = jobs[method].bind(jobs) as (id: number, ...others: unknown[]) => Promise<never>;
  let tries = 0;
  jobs[method] = async (id: number, ...others: unknown[]) => {
    if (id === job()) tries += 1;
    if (id === job() && tries === 1)
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    return write(id, ...others);
  };
  return () => tries;
}

// All at once, because each waits for two seconds.
describe.concurrent('a write that a full disk refused is repeated when there is space', () => {
  for (const method of ['remember', 'end'] as const) {
    test(`${method} of a job`, async () => {
      const { jobs } = service.services;
      const row = await jobs.create(wish(`of-${method}`));
      await jobs.start(row.id);
      const tries = fullAtFirst(method, () => row.id);
      const live = startJob(service.services, { ...row, state: 'running' }, done, () => {});
      expect(await live.ended).toMatchObject({ state: 'done' });
      expect(tries()).toBe(2);
      expect(await jobs.byId(row.id)).toMatchObject({ state: 'done' });
    });
  }

  test('start of a queued job, which nothing else would trigger', async () => {
    const { jobs } = service.services;
    const runner = jobRunner(service.services, { verify: done } as unknown as Works<unknown>);
    let id = 0;
    const tries = fullAtFirst('start', () => id);
    ({ id } = await jobs.create(wish('of-start')));
    runner.wake();
    await expect.poll(async () => (await jobs.byId(id))?.state, { timeout: 60_000 }).toBe('done');
    expect(tries()).toBe(2);
    await runner.stop();
  });
});

test('a job that waits for space to begin can be cancelled', async () => {
  const { jobs } = service.services;
  const row = await jobs.create(wish('cancelled'));
  await jobs.start(row.id);
  fullAtFirst('remember', () => row.id);
  const live = startJob(service.services, { ...row, state: 'running' }, done, () => {});
  live.stop('cancel');
  expect(await live.ended).toMatchObject({ state: 'cancelled' });
});
