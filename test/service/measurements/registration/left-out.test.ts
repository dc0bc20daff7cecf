import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Inspection } from '../../../../src-main/service/contract/jobs.ts';
import type { MeasurementDetail } from '../../../../src-main/service/contract/measurements.ts';
import { asWindow } from '../../as-window.ts';
import { run } from '../../run-program.ts';
import { makeFiles, register, startWithFolder } from './support.ts';
import { useWorld } from '../../use-service.ts';

const service = useWorld(startWithFolder);

test('U7: files that cannot be registered are left out on request, and listed with the measurement', async () => {
  const folder = path.join(service.files, 'bench');
  await makeFiles(folder, { 'a.txt': 'a', 'b/c.txt': 'c', 'b/Same.txt': 'one', 'b/same.txt': 'two' });
  await symlink('nowhere', path.join(folder, 'dangling'));
  expect((await run('mkfifo', [path.join(folder, 'pipe')])).status).toBe(0);
  const { body } = await asWindow(service, 'POST', '/api/v4/local/inspect', { path: folder });
  const { refusals, file_count: count } = body as Inspection;
  expect([...refusals].toSorted()).toEqual([
    'b/same.txt: it differs from b/Same.txt only by case or Unicode form; rename one of them',
    'dangling: it is a symbolic link',
    'pipe: it is a named pipe, not a file',
  ]);
  expect(count).toBe(3);
  expect((await register(service, { path: folder, id: 'refused' })).state).toBe('failed');
  expect((await register(service, { path: folder, id: 'rest', leave_out: true })).state).toBe('done');
  const files = await service.services.files.from('rest', 0, 10);
  expect(files.map((file) => file.path)).toEqual(['a.txt', 'b/Same.txt', 'b/c.txt']);
  expect(await service.services.measurements.byId('rest')).toMatchObject({
    state: 'available',
    file_count: 3,
    total_bytes: 5,
  });
  const detail = (await asWindow(service, 'GET', '/api/v4/measurements/rest')).body as MeasurementDetail;
  expect([detail.left_out?.total, detail.left_out?.names.toSorted()]).toEqual([3, refusals.toSorted()]);

  // Nothing is left to register.
  await mkdir(path.join(service.files, 'links'));
  await symlink('nowhere', path.join(service.files, 'links', 'only'));
  expect(
    (await register(service, { path: path.join(service.files, 'links'), id: 'links', leave_out: true })).state,
  ).toBe('failed');
});
