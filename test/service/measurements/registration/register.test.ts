import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { asWindow } from '../../as-window.ts';
import { makeFiles, register, startWithFolder } from './support.ts';
import { useFreshWorld } from '../../use-service.ts';

const run = promisify(execFile);
const service = useFreshWorld(startWithFolder);

test('a folder is registered in place, in code-point order, with the checksums of sha256sum', async () => {
  const folder = path.join(service.files, 'Röntgen run 7');
  await makeFiles(folder, {
    'b.txt': 'bee',
    'a/z.bin': Buffer.alloc(3_000_000, 7),
    'a-1': '',
    'Z.txt': 'zed',
    '.DS_Store': 'x',
    '\u{10000}.txt': 'linear b',
    '\uffee.txt': 'half',
  });
  const job = await register(service, { path: folder });
  expect(job).toMatchObject({
    state: 'done',
    files_done: 6,
    files_total: 6,
    bytes_done: 3_000_018,
    measurement_id: 'Rontgen-run-7',
  });
  const rows = await service.services.files.from('Rontgen-run-7', 0, 100);
  expect(rows.map((row) => row.path)).toEqual(['Z.txt', 'a-1', 'a/z.bin', 'b.txt', '\uffee.txt', '\u{10000}.txt']);
  for (const row of rows) {
    const { stdout } = await run('sha256sum', [path.join(folder, row.location)]);
    expect(stdout.replace(/^\\/, '').slice(0, 64)).toBe(row.sha256.toString('hex'));
  }
  expect(await service.services.measurements.byId('Rontgen-run-7')).toMatchObject({
    state: 'available',
    storage: 'reference',
    file_count: 6,
    total_bytes: 3_000_018,
  });
});

test('a copy is in the library under its digest, read-only and once', async () => {
  const folder = service.run;
  await makeFiles(folder, { 'a.bin': 'same bytes', 'b.bin': 'same bytes', 'c.bin': 'other' });
  expect(await register(service, { path: folder, copy: true })).toMatchObject({ state: 'done' });
  const rows = await service.services.files.from('run', 0, 10);
  expect(new Set(rows.map((row) => row.location)).size).toBe(2);
  for (const row of rows) {
    const object = path.join(service.services.paths.library, row.location);
    expect((await stat(object)).mode & 0o777).toBe(0o444);
    expect(await readFile(object, 'utf8')).toBe(await readFile(path.join(folder, row.path), 'utf8'));
    expect(String((await stat(object, { bigint: true })).mtimeNs)).toBe(row.mtime_ns);
  }
});

test('a used id is refused, an id made from the name gets a number', async () => {
  const folder = service.run;
  await makeFiles(folder, { 'a.bin': '1' });
  expect(await register(service, { path: folder })).toMatchObject({ measurement_id: 'run' });
  expect(await register(service, { path: folder })).toMatchObject({ measurement_id: 'run-2' });
  expect(await asWindow(service, 'POST', '/api/v4/local/registrations', { path: folder, id: 'RUN' })).toMatchObject({
    status: 409,
    body: { type: 'urn:benchport:problem:id-taken' },
  });
});
