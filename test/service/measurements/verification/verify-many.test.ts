import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Job } from '../../../../src-main/service/contract/jobs.ts';
import { addMeasurement } from '../../fixture-measurement.ts';
import { useTestService, useUser, type TokenUser } from '../../use-service.ts';
import { until } from '../../until.ts';

const service = useTestService();
const alice = useUser(service, 'alice', { scopes: ['api'] });
const bob = useUser(service, 'bob', { scopes: ['api'] });

async function end(job: Job): Promise<Job> {
  let now = job;
  await until(async () => {
    const jobs = (await (await alice.get('/api/v4/jobs')).json()) as Job[];
    now = jobs.find((one) => one.id === job.id) ?? now;
    return now.ended_at !== null;
  }, 'the job has ended');
  return now;
}

test('U8: fifty verifications are one job with one message, which names the failed ones', async () => {
  const ids = Array.from({ length: 50 }, (_, i) => `m${i}`);
  for (const id of ids) {
    const { root } = await addMeasurement(service, alice.id, id, [
      { path: 'a', bytes: `a of ${id}` },
      { path: 'b', bytes: 'b' },
    ]);
    if (id === 'm7') await writeFile(path.join(root, 'a'), 'a OF m7');
  }
  const answer = await alice.send('POST', '/api/v4/measurements/verify', { ids });
  expect(answer.status).toBe(202);
  const job = (await answer.json()) as Job;
  expect([job.kind, job.measurement_id]).toEqual(['verify', '']);
  const ended = await end(job);
  expect([ended.state, ended.files_done, ended.files_total]).toEqual(['done', 100, 100]);
  expect(ended.message).toBe('49 of 50 measurements are unchanged. m7: 1 of 2 files is unchanged; altered: a');
  expect((await service.services.measurements.byId('m12'))?.verified_at).not.toBe(null);
  expect((await alice.send('POST', '/api/v4/measurements/verify', { ids: ['m1', 'nothing'] })).status).toBe(404);
  expect((await bob.send('POST', '/api/v4/measurements/verify', { ids: ['m1'] })).status).toBe(403);

  // U4: degraded measurements can be listed separately by those who may see them.
  const listed = async (as: TokenUser, search = '') => {
    const page = await as.get(`/api/v4/measurements?problems=true${search}`);
    return [page.headers.get('x-total'), ((await page.json()) as { id: string }[]).map(({ id }) => id)];
  };
  expect(await listed(alice)).toEqual(['1', ['m7']]);
  expect(await listed(alice, '&search=M7')).toEqual(['1', ['m7']]);
  expect(await listed(alice, '&search=m8')).toEqual(['0', []]);
  expect(await listed(bob)).toEqual(['0', []]);
});
