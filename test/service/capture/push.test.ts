import { expect, test } from 'vitest';
import { startTestService } from '../start.ts';
import { ruleOf, useCapture } from './scene.ts';

const scene = useCapture();

test('a run is pushed when its copy on the server is verified', async () => {
  const far = await startTestService({ database: null });
  try {
    const token = await far.token(await far.user('alice'), ['read_measurement', 'write_measurement']);
    const { services } = scene.service;
    const row = { name: 'Facility', base_url: far.url, certificate: null, token };
    const server = await services.servers.create(row);
    await scene.window.add(ruleOf(scene.bench.folder, { push_to: server?.id ?? 0 }));
    await scene.bench.write('run-1/data.raw', Buffer.alloc(2_000_000, 7));
    await scene.bench.write('run-1/done.txt');
    await scene.window.reaches('run-1', 'pushed');
    const [there, here] = await Promise.all([
      far.services.measurements.byId('run-1'),
      services.measurements.byId('run-1'),
    ]);
    expect(there?.archive_tag).toBe(here?.archive_tag);

    // Of a pushed run, too, a change is asked about.
    await scene.bench.write('run-1/late.txt');
    await scene.window.reaches('run-1', 'changed-after');
  } finally {
    await far.end();
  }
});

test('a run whose server was removed is registered, and says that it is not pushed', async () => {
  const { services } = scene.service;
  const row = { name: 'Facility', base_url: 'https://gone.example', certificate: null, token: 'x' };
  const server = await services.servers.create(row);
  const { id } = await scene.window.add(ruleOf(scene.bench.folder, { push_to: server?.id ?? 0 }));
  await services.servers.remove(server?.id ?? 0);
  await scene.bench.write('run-1/done.txt');
  expect(await scene.window.reaches('run-1', 'registered')).toMatchObject({
    reason: 'no-server',
    message: expect.stringContaining('It is registered.') as string,
  });
  expect((await scene.window.rule(id)).push_server).toBe(null);
});
