import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { buildZip } from '../measurements/registration/zip-builder.ts';
import { ruleOf, useCapture } from './scene.ts';

const scene = useCapture();

test('a symbolic link is named, and left out if a person says so', async () => {
  await scene.window.add(ruleOf(scene.bench.folder));
  await scene.bench.write('run-1/data.raw');
  await symlink('/etc/hostname', path.join(scene.bench.folder, 'run-1/latest.raw'));
  await scene.bench.write('run-1/done.txt');
  const asks = await scene.window.reaches('run-1', 'needs-you');
  expect(asks.reason).toBe('refused-names');
  expect(asks.message).toContain('latest.raw');
  expect(await scene.service.services.measurements.byId('run-1')).toBe(null);

  await scene.window.act('retry', [asks.id], { leave_out: true });
  const done = await scene.window.reaches('run-1', 'registered');
  expect(done.measurement_id).toBe('run-1');
  const files = await scene.service.services.files.from('run-1', 0, 10);
  expect(files.map(({ path: name }) => name)).toEqual(['data.raw', 'done.txt']);
  // A later look does not take the link for a change.
  await scene.bench.write('run-2/done.txt');
  await scene.window.reaches('run-2', 'registered');
  expect(await scene.window.run('run-1')).toMatchObject({ state: 'registered' });
});

test('names with separate accents are registered composed, and are no change afterwards', async () => {
  const decomposed = 'Probe-u\u0308'.normalize('NFD');
  await scene.window.add(ruleOf(scene.bench.folder));
  await scene.bench.write(`${decomposed}/o\u0308l.raw`);
  await scene.bench.write(`${decomposed}/done.txt`);
  const done = await scene.window.reaches(decomposed, 'registered');
  expect(done.measurement_id).toBe('Probe-u');
  expect(await scene.service.services.measurements.byId('Probe-u')).toMatchObject({ title: 'Probe-\u00fc' });
  const files = await scene.service.services.files.from('Probe-u', 0, 10);
  expect(files.map(({ path: name }) => name)).toEqual(['done.txt', '\u00f6l.raw']);
  await scene.bench.write('run-2/done.txt');
  await scene.window.reaches('run-2', 'registered');
  expect(await scene.window.run(decomposed)).toMatchObject({ state: 'registered' });
});

test('a ZIP file is a run whose members are registered', async () => {
  const changes = { unit: 'file', pattern: '*.zip', sign: 'quiet', minutes: 0.005 } as const;
  await scene.window.add(ruleOf(scene.bench.folder, { ...changes, markers: [] }));
  const members = [
    { name: 'a/scan.bin', data: Buffer.alloc(100_000, 1) },
    { name: 'note.txt', data: 'first light', deflate: true },
  ];
  await scene.bench.write('run-1.zip', buildZip(members));
  const done = await scene.window.reaches('run-1.zip', 'registered');
  expect(done.measurement_id).toBe('run-1');
  const files = await scene.service.services.files.from('run-1', 0, 10);
  expect(files.map(({ path: name }) => name)).toEqual(['a/scan.bin', 'note.txt']);
  expect(await scene.window.run('run-1.zip')).toMatchObject({ state: 'registered' });
});

test('files that share a name are one run, with a marker among them', async () => {
  const changes = { unit: 'files', pattern: '{name}.wiff*' } as const;
  await scene.window.add(ruleOf(scene.bench.folder, { ...changes, markers: ['*.done'] }));
  for (const file of ['run-1.wiff', 'run-1.wiff.scan', 'run-12.wiff', 'other.txt']) await scene.bench.write(file);
  await scene.window.reaches('run-12', 'seen');
  await scene.bench.write('run-1.wiff.done');
  await scene.window.reaches('run-1', 'registered');
  const files = await scene.service.services.files.from('run-1', 0, 10);
  expect(files.map(({ path: name }) => name)).toEqual(['run-1.wiff', 'run-1.wiff.done', 'run-1.wiff.scan']);
  expect(await scene.window.run('run-12')).toMatchObject({ state: 'seen', reason: 'no-sign' });
});
