import { expect, test } from 'vitest';
import type { Job } from '../../../src-main/service/contract/jobs.ts';
import { createLiveStore } from '../../../src-renderer/context/stores.ts';

const job = (id: number, more: Partial<Job> = {}): Job => ({
  id,
  kind: 'register',
  measurement_id: 'm',
  state: 'running',
  files_done: 0,
  files_total: 1,
  bytes_done: 0,
  bytes_total: 1,
  bytes_per_second: 0,
  message: null,
  result: null,
  created_at: '2026-11-21T11:00:00.000Z',
  ended_at: null,
  ...more,
});
const over: Partial<Job> = { state: 'done', ended_at: '2026-11-21T11:01:00.000Z', result: '/x' };

test('an event after the end of its job does not make it active', () => {
  const { getState } = createLiveStore();
  getState().putJob(job(1, over));
  getState().forgetJob(1);
  getState().putJob(job(1));
  getState().replaceActiveJobs([job(1), job(2)]);
  expect([...getState().jobs.keys()]).toEqual([2]);
  expect(getState().endedJob(1)?.result).toBe('/x');
});

test('the list of active jobs replaces the running ones, and keeps failures until they are dismissed', () => {
  const { getState } = createLiveStore();
  getState().putJob(job(1));
  getState().putJob(job(2, { ...over, state: 'failed' }));
  getState().replaceActiveJobs([job(3)]);
  expect([...getState().jobs.keys()]).toEqual([2, 3]);
});

test('after a reconnection unknown jobs are dropped, because their numbers may be reused', () => {
  const { getState } = createLiveStore();
  getState().putJob(job(1, over));
  getState().putJob(job(2));
  getState().beginAnew([job(3)], [job(4, { ...over, state: 'failed' })]);
  expect([...getState().jobs.keys()]).toEqual([4, 3]);
  getState().putJob(job(1));
  expect(getState().jobs.get(1)?.state).toBe('running');
});
