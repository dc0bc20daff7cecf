import { describe, expect, test, vi } from 'vitest';
import { jobRunner } from '../../../src-main/service/jobs/job-runner.ts';
import { thisProcess } from '../../../src-main/service/jobs/job-process.ts';
import type { JobRow } from '../../../src-main/service/jobs/jobs-store.ts';
import { startJob } from '../../../src-main/service/jobs/run-job.ts';
import type { Work, Works } from '../../../src-main/service/jobs/job-work.ts';
import { engineOfTests } from '../start.ts';
import { useTestService } from '../use-service.ts';

const service = useTestService();

const done: Work<unknown> = {
  run: async () => ({ message: null, result: null }),
  discard: async () => {},
  restarted: null,
  resumable: true,
};
const untilStopped: Work<unknown> = {
  ...done,
  run: async (_, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw signal.reason;
  },
};
const wish = (measurementId: string) => ({ kind: 'verify', measurementId, userId: null, parameters: {} }) as const;

async function started(measurementId: string): Promise<JobRow> {
  const { jobs } = service.services;
  const row = await jobs.start((await jobs.create(wish(measurementId))).id, thisProcess());
  if (!row) throw new Error('the new job was not queued');
  return row;
}

/**
 * Simulates a full disk for the first write to a job by one method. @returns the number of
 * attempts.
 */
function fullAtFirst(method: 'start' | 'end', job: () => number): () => number {
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
  test('end of a job', async () => {
    const row = await started('of-end');
    const tries = fullAtFirst('end', () => row.id);
    const live = startJob(service.services, row, done, () => {});
    expect(await live.ended).toMatchObject({ event: 'succeed' });
    expect(tries()).toBe(2);
    expect(await service.services.jobs.byId(row.id)).toMatchObject({ state: 'done' });
  });

  test('end of a job that was cancelled', async () => {
    const row = await started('of-cancel');
    const tries = fullAtFirst('end', () => row.id);
    let discards = 0;
    const work = { ...untilStopped, discard: async () => void (discards += 1) };
    const live = startJob(service.services, row, work, () => {});
    live.stop('cancel');
    expect(await live.ended).toMatchObject({ event: 'cancel' });
    expect([tries(), discards]).toEqual([2, 1]);
    expect(await service.services.jobs.byId(row.id)).toMatchObject({ state: 'cancelled' });
  });

  // Replicas look for queued jobs each second: there the service itself would take the job of this test.
  if (engineOfTests === 'sqlite')
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
  const runner = jobRunner(service.services, { verify: done } as unknown as Works<unknown>);
  const row = await jobs.create(wish('cancelled'));
  const tries = fullAtFirst('start', () => row.id);
  runner.wake();
  await expect.poll(tries).toBe(1);
  expect(await runner.act(row, 'cancel')).toMatchObject({ state: 'cancelled' });
  await runner.stop();
});

test('a database that is away is asked for jobs at a steady pace, and said to be away once', async () => {
  vi.useFakeTimers();
  try {
    let asked = 0;
    const inState = async () => {
      asked += 1;
      throw new Error('connect ECONNREFUSED');
    };
    const { services } = service;
    const log = { ...services.log, error: vi.fn() } as unknown as typeof services.log;
    const cluster = { ...services.cluster, replica: () => ({ id: 1, name: 'one' }) };
    const away = { ...services, cluster, log, jobs: { ...services.jobs, inState } };
    const runner = jobRunner(away, { verify: done } as unknown as Works<unknown>);
    await runner.recover();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toBeGreaterThan(30);
    // Each second, and two seconds after a failure.
    expect(asked).toBeLessThan(100);
    expect(log.error).toHaveBeenCalledTimes(1);
    await runner.stop();
  } finally {
    vi.useRealTimers();
  }
});
