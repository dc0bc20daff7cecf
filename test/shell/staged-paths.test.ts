import { expect, it } from 'vitest';
import { StagedPaths } from '../../src-main/shell/files/staged-paths.ts';

const nobody = async (): Promise<unknown> => {
  throw new Error('the service is away');
};

it('E18 only responses to staging requests are examined', () => {
  expect(StagedPaths.concerns('POST', '/api/v4/local/measurements/qmr-1/stage')).toBe(true);
  expect(StagedPaths.concerns('POST', '/api/v4/local/fetches/7/stage')).toBe(true);
  expect(StagedPaths.concerns('POST', '/api/v4/local/fetches/7/log')).toBe(false);
  expect(StagedPaths.concerns('POST', '/api/v4/local/servers/7/stage')).toBe(false);
  expect(StagedPaths.concerns('GET', '/api/v4/local/measurements/qmr-1/stage')).toBe(false);
  expect(StagedPaths.concerns('POST', '/api/v4/local/measurements/qmr-1/exports')).toBe(false);
  expect(StagedPaths.concerns('POST', '/api/v4/local/measurements/a/b/stage')).toBe(false);
});

it('E18 a path that is ready may be dragged, others may not', async () => {
  const paths = new StagedPaths();
  paths.observe({ path: '/stage/a', job: null });
  expect(await paths.includes('/stage/a', nobody)).toBe(true);
  expect(await paths.includes('/stage', nobody)).toBe(false);
  expect(await paths.includes('/stage/a/b', nobody)).toBe(false);
});

it('E18 a job is polled until it has ended', async () => {
  const paths = new StagedPaths();
  paths.observe({ path: null, job: { id: 12 } });
  const asked: string[] = [];
  let job: unknown = { id: 12, state: 'running', result: null };
  const ask = async (path: string): Promise<unknown> => {
    asked.push(path);
    return job;
  };
  expect(await paths.includes('/stage/b', ask)).toBe(false);
  expect(await paths.includes('/stage/b', nobody)).toBe(false);
  job = { id: 12, state: 'done', result: '/stage/b' };
  expect(await paths.includes('/stage/b', ask)).toBe(true);
  expect(await paths.includes('/stage/b', ask)).toBe(true);
  expect(asked).toEqual(['/api/v4/jobs/12', '/api/v4/jobs/12']);
});

it.each([[null], ['/stage/a'], [{ path: 7, job: null }], [{}], [[]]])(
  'E18 the answer %j stages nothing',
  async (answer) => {
    const paths = new StagedPaths();
    paths.observe(answer);
    expect(await paths.includes('/stage/a', nobody)).toBe(false);
  },
);

it('old paths are forgotten', async () => {
  const paths = new StagedPaths();
  for (let number = 0; number <= 1000; number += 1) paths.observe({ path: `/stage/${number}`, job: null });
  expect(await paths.includes('/stage/0', nobody)).toBe(false);
  expect(await paths.includes('/stage/1000', nobody)).toBe(true);
});
