import { chmod, mkdir, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Job } from '../../../../src-main/service/contract/jobs.ts';
import { jobRunner } from '../../../../src-main/service/jobs/job-runner.ts';
import { verifyDue } from '../../../../src-main/service/measurements/verification/verify-schedule.ts';
import { works } from '../../../../src-main/service/jobs-module.ts';
import { asWindow } from '../../as-window.ts';
import { jobIn, makeFiles, register, registered, sparseFile, startWithFolder } from '../registration/support.ts';
import { useFreshWorld } from '../../use-service.ts';

const service = useFreshWorld(startWithFolder);

async function verify(): Promise<Job> {
  const { status, body } = await asWindow(service, 'POST', '/api/v4/measurements/run/verify');
  expect(status).toBe(202);
  return jobIn(service, (body as Job).id, 'done', 'failed');
}

async function states(): Promise<Record<string, string>> {
  return Object.fromEntries(
    (await service.services.files.from('run', 0, 100)).map((row) => [
      row.path,
      row.problem === null ? row.state : `${row.state}: ${row.problem}`,
    ]),
  );
}

test('altered, missing and unreadable files are found by name, and found intact again', async () => {
  await makeFiles(service.run, {
    'a.txt': 'alpha',
    'b.txt': 'bravo',
    'c.txt': 'charlie',
    'd.txt': 'delta',
    'e.txt': 'echo',
  });
  await register(service, { path: service.run });
  expect(await verify()).toMatchObject({
    state: 'done',
    message: '5 of 5 files are unchanged',
    files_done: 5,
    bytes_done: 26,
  });

  // With unchanged size and time, only reading finds the other content.
  await writeFile(path.join(service.run, 'a.txt'), 'alphb');
  await utimes(path.join(service.run, 'a.txt'), 1_700_000_000, 1_700_000_000);
  await truncate(path.join(service.run, 'b.txt'), 3);
  await rm(path.join(service.run, 'c.txt'));
  // A folder in place of a file cannot be read, not even by root.
  await rm(path.join(service.run, 'd.txt'));
  await makeFiles(path.join(service.run, 'd.txt'), { x: 'x' });
  const bad = await verify();
  expect(bad.message).toBe('1 of 5 files is unchanged; altered: a.txt, b.txt, d.txt; missing: c.txt');
  expect(await states()).toEqual({
    'a.txt': 'altered: its content is not what was registered',
    'b.txt': 'altered: it has 3 bytes instead of 5',
    'c.txt': 'missing: there is no such file in its folder',
    'd.txt': 'altered: it is not a file any more',
    'e.txt': 'ok',
  });
  const degraded = await service.services.measurements.byId('run');
  expect(degraded).toMatchObject({ state: 'degraded', problem_count: 4 });

  await rm(path.join(service.run, 'd.txt'), { recursive: true });
  await makeFiles(service.run, { 'a.txt': 'alpha', 'b.txt': 'bravo', 'c.txt': 'charlie', 'd.txt': 'delta' });
  // The right bytes under a new date.
  await utimes(path.join(service.run, 'b.txt'), 1_710_000_000, 1_710_000_000);
  expect((await verify()).message).toBe('5 of 5 files are unchanged');
  expect(await service.services.measurements.byId('run')).toMatchObject({
    state: 'available',
    problem_count: 0,
    archive_tag: degraded?.archive_tag,
  });
  expect((await service.services.files.at('run', 1))?.mtime_ns).toBe(
    String((await stat(path.join(service.run, 'b.txt'), { bigint: true })).mtimeNs),
  );
  await registered(service, 'run', service.run);
});

test('files on a disk that is gone are unreadable, not missing', async () => {
  await makeFiles(service.run, { 'a.txt': 'alpha' });
  await register(service, { path: service.run });
  await rename(service.run, `${service.run}-away`);
  expect((await verify()).message).toBe('0 of 1 file is unchanged; unreadable: a.txt');
  expect((await states())['a.txt']).toContain('is not there; is its disk connected and mounted?');
  // The mount point stays when nothing is mounted there.
  await mkdir(service.run);
  expect((await verify()).message).toBe('0 of 1 file is unchanged; unreadable: a.txt');
  expect((await states())['a.txt']).toContain('is empty; is its disk connected and mounted?');
  await rm(service.run, { recursive: true });
  await rename(`${service.run}-away`, service.run);
  expect((await verify()).message).toBe('1 of 1 file is unchanged');
});

test('a damaged object of the library is found, and repaired by registering the same content again', async () => {
  await makeFiles(service.run, { 'a.txt': 'alpha' });
  await register(service, { path: service.run, copy: true });
  const row = await service.services.files.at('run', 0);
  const object = path.join(service.services.paths.library, row?.location ?? '');
  await chmod(object, 0o644);
  await writeFile(object, 'ALPHA');
  expect((await verify()).message).toBe('0 of 1 file is unchanged; altered: a.txt');
  expect(await register(service, { path: service.run, copy: true })).toMatchObject({
    state: 'done',
    measurement_id: 'run-2',
  });
  expect((await verify()).message).toBe('1 of 1 file is unchanged');
  expect((await service.services.files.at('run', 0))?.location).toBe(
    (await service.services.files.at('run-2', 0))?.location,
  );
});

test('only the owner and administrators may start it', async () => {
  await makeFiles(service.run, { 'a.txt': 'alpha' });
  await register(service, { path: service.run });
  const bob = await service.user('bob');
  const post = async (scopes: readonly string[], id: string) =>
    (
      await fetch(`${service.url}/api/v4/measurements/${id}/verify`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await service.token(bob, scopes)}` },
      })
    ).status;
  expect([await post(['api'], 'run'), await post(['read_api'], 'run'), await post(['api'], 'no-such')]).toEqual([
    403, 403, 404,
  ]);
  expect((await fetch(`${service.url}/api/v4/measurements/run/verify`, { method: 'POST' })).status).toBe(401);
});

test('the schedule verifies measurements that are due, one at a time, and nothing else', async () => {
  await makeFiles(service.run, { 'a.txt': 'alpha' });
  await register(service, { path: service.run });
  await register(service, { path: service.run });
  const { services } = service;
  const runner = jobRunner(services, works);
  const schedule = { everyMs: 600_000, notAgainBefore: 1_200_000, bytesPerSecond: 50_000_000 };
  expect(await verifyDue(services, runner, schedule, Date.now())).toBeNull();
  const later = Date.now() + 660_000;
  const first = await verifyDue(services, runner, schedule, later);
  expect(await verifyDue(services, runner, schedule, later)).toBeNull();
  const job = (await services.jobs.list('all', null)).find((one) => one.kind === 'verify');
  expect(await runner.ended(job?.id ?? 0)).toMatchObject({ state: 'done', measurement_id: first, user_id: null });
  expect(await verifyDue(services, runner, schedule, later)).toBe(first === 'run' ? 'run-2' : 'run');
  await runner.ended((await services.jobs.inState('queued', 'running'))[0]?.id ?? job?.id ?? 0);
  // None is due again at once, cancelled or not.
  expect(await verifyDue(services, runner, schedule, later)).toBeNull();
  await runner.stop();
});

test('a verification keeps to its rate, and can be stopped in the middle of a file', async () => {
  await sparseFileIn(20_000_000);
  await register(service, { path: service.run });
  const runner = jobRunner(service.services, works);
  const slow = await runner.enqueue({
    kind: 'verify',
    measurementId: 'run',
    userId: null,
    parameters: { bytesPerSecond: 1_000_000 },
  });
  for (;;) {
    const row = await service.services.jobs.byId(slow.id);
    if (row && runner.shape(row).bytes_done > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const row = await service.services.jobs.byId(slow.id);
  if (!row) throw new Error('the job is gone');
  expect(await runner.act(row, 'cancel')).toMatchObject({ state: 'cancelled', files_done: 0 });
  expect((await service.services.measurements.byId('run'))?.state).toBe('available');
  await runner.stop();
});

async function sparseFileIn(bytes: number): Promise<void> {
  await makeFiles(service.run, {});
  await sparseFile(path.join(service.run, 'big.bin'), bytes);
}
