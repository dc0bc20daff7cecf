import { afterAll, beforeAll, expect, test } from 'vitest';
import { startJob } from '../../../src-main/service/jobs/run-job.ts';
import type { Work } from '../../../src-main/service/jobs/job-work.ts';
import { startTestService, type TestService } from '../start.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => service.end());

const done: Work = { run: async () => ({ message: null, result: null }), discard: async () => {}, anew: null, resumable: true };

test('an end that a full disk refused is stored when there is room', async () => {
  const { jobs } = service.services;
  const row = await jobs.create({ kind: 'verify', measurementId: 'qmr-1', userId: null, parameters: {} });
  await jobs.start(row.id);
  const end = jobs.end.bind(jobs);
  let tries = 0;
  jobs.end = async (id, how) => {
    tries += 1;
    if (tries === 1) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    return end(id, how);
  };
  const live = startJob(service.services, { ...row, state: 'running' }, done, () => {});
  expect(await live.ended).toMatchObject({ state: 'done' });
  expect(tries).toBe(2);
  expect(await jobs.byId(row.id)).toMatchObject({ state: 'done' });
});

test('a job whose beginning a full disk refused has failed, and does not stand there as running for ever', async () => {
  const { jobs } = service.services;
  const row = await jobs.create({ kind: 'verify', measurementId: 'qmr-2', userId: null, parameters: {} });
  await jobs.start(row.id);
  const remember = jobs.remember.bind(jobs);
  jobs.remember = async () => {
    jobs.remember = remember;
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
  const live = startJob(service.services, { ...row, state: 'running' }, done, () => {});
  expect(await live.ended).toMatchObject({ state: 'failed' });
  expect(await jobs.byId(row.id)).toMatchObject({ state: 'failed' });
});
