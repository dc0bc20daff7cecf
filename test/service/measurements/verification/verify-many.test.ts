import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Job } from '../../../../src-main/service/contract/jobs.ts';
import { addMeasurement } from '../../fixture-measurement.ts';
import { startTestService, type TestService } from '../../start.ts';
import { until } from '../../until.ts';

let service: TestService;
let alice: number;
let token: string;

beforeAll(async () => {
  service = await startTestService();
  alice = await service.user('alice');
  token = await service.token(alice, ['api']);
});
afterAll(() => service.end());

async function call(method: string, where: string, body?: unknown, as = token): Promise<Response> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${as}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return fetch(service.url + where, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

async function end(job: Job): Promise<Job> {
  let now = job;
  await until(async () => {
    const jobs = (await (await call('GET', '/api/v4/jobs')).json()) as Job[];
    now = jobs.find((one) => one.id === job.id) ?? now;
    return now.ended_at !== null;
  }, 'the job has ended');
  return now;
}

test('U8: fifty verifications are one job with one message, which names the failed ones', async () => {
  const ids = Array.from({ length: 50 }, (_, i) => `m${i}`);
  for (const id of ids) {
    const { root } = await addMeasurement(service, alice, id, [
      { path: 'a', bytes: `a of ${id}` },
      { path: 'b', bytes: 'b' },
    ]);
    if (id === 'm7') await writeFile(path.join(root, 'a'), 'a OF m7');
  }
  const answer = await call('POST', '/api/v4/measurements/verify', { ids });
  expect(answer.status).toBe(202);
  const job = (await answer.json()) as Job;
  expect([job.kind, job.measurement_id]).toEqual(['verify', '']);
  const ended = await end(job);
  expect([ended.state, ended.files_done, ended.files_total]).toEqual(['done', 100, 100]);
  expect(ended.message).toBe('49 of 50 measurements are unchanged. m7: 1 of 2 files is unchanged; altered: a');
  expect((await service.services.measurements.byId('m12'))?.verified_at).not.toBe(null);
  expect((await call('POST', '/api/v4/measurements/verify', { ids: ['m1', 'nothing'] })).status).toBe(404);
  const bob = await service.token(await service.user('bob'), ['api']);
  expect((await call('POST', '/api/v4/measurements/verify', { ids: ['m1'] }, bob)).status).toBe(403);

  // U4: degraded measurements can be listed separately by those who may see them.
  const listed = async (as: string, search = '') => {
    const page = await call('GET', `/api/v4/measurements?problems=true${search}`, undefined, as);
    return [page.headers.get('x-total'), ((await page.json()) as { id: string }[]).map(({ id }) => id)];
  };
  expect(await listed(token)).toEqual(['1', ['m7']]);
  expect(await listed(token, '&search=M7')).toEqual(['1', ['m7']]);
  expect(await listed(token, '&search=m8')).toEqual(['0', []]);
  expect(await listed(bob)).toEqual(['0', []]);
});
