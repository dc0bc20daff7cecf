import { beforeEach, expect, test } from 'vitest';
import { ruleOf, useCapture } from './scene.ts';

const scene = useCapture();

async function account(username: string, email: string | null = null): Promise<void> {
  const user = { username, name: username, email, passwordHash: null, isAdmin: false };
  expect(await scene.service.services.users.create(user)).not.toBe(null);
}

async function complete(run: string, files: Readonly<Record<string, string>> = {}): Promise<void> {
  for (const [name, text] of Object.entries({ 'data.raw': 'x', ...files }))
    await scene.bench.write(`${run}/${name}`, text);
  await scene.bench.write(`${run}/done.txt`);
}

async function ownerOf(id: string): Promise<string | undefined> {
  const { services } = scene.service;
  const measurement = await services.measurements.byId(id);
  return (await services.users.byId(measurement?.owner_id ?? 0))?.username;
}

beforeEach(async () => account('bob', 'bob@lab.example'));

test('a folder named after a user gives the owner, and one of nobody asks until there is the account', async () => {
  await scene.window.add(ruleOf(scene.bench.folder, { layout: '{user}/{name}', owner: '{user}' }));
  await complete('bob/run-1');
  await complete('carol/run-2');
  await scene.window.reaches('bob/run-1', 'registered');
  expect(await ownerOf('run-1')).toBe('bob');
  const asks = await scene.window.reaches('carol/run-2', 'needs-you');
  expect(asks).toMatchObject({ reason: 'unknown-owner', message: 'There is no user carol.', measurement_id: null });

  await account('carol');
  expect(await scene.window.act('retry', [asks.id])).toMatchObject({ body: { changed: 1 } });
  await scene.window.reaches('carol/run-2', 'registered');
  expect(await ownerOf('run-2')).toBe('carol');
});

test('a folder named after an address gives the owner', async () => {
  await scene.window.add(ruleOf(scene.bench.folder, { layout: '{email}/{name}', owner: '{email}' }));
  await complete('Bob@lab.example/run-1');
  await scene.window.reaches('Bob@lab.example/run-1', 'registered');
  expect(await ownerOf('run-1')).toBe('bob');
});

test('project and readers may read each run', async () => {
  await scene.service.services.projects.create('imaging', 'Imaging');
  const changes = { layout: '{project}/{name}', project: '{project}', readers: ['bob@lab.example', '*'] };
  await scene.window.add(ruleOf(scene.bench.folder, changes));
  await complete('imaging/run-1');
  await complete('other/run-2');
  await scene.window.reaches('imaging/run-1', 'registered');
  const grants = await scene.service.services.grants.ofMeasurement('run-1');
  expect(
    grants
      .map((one) => one.username ?? one.project_path ?? one.everyone)
      .map(String)
      .toSorted(),
  ).toEqual(['1', 'bob', 'imaging']);
  expect(await scene.window.reaches('other/run-2', 'needs-you')).toMatchObject({
    reason: 'unknown-project',
    message: 'There is no project other.',
  });
});

test('id and title come from files of the run, and a run without them asks until it has them', async () => {
  const changes = {
    id_template: '{sample}-{name}',
    title_template: '{operator}: {method}',
    fields: [
      { name: 'sample', from: 'run.json', key: 'sample.id' },
      { name: 'operator', from: 'RunParameters.xml', key: 'Operator' },
      { name: 'method', from: 'meta/*.txt', key: 'Method' },
    ],
  };
  await scene.window.add(ruleOf(scene.bench.folder, changes));
  const files = {
    'RunParameters.xml': '<Run><Operator>A &amp; B</Operator></Run>',
    'meta/a.txt': 'Method = NMR 7\r\n',
  };
  await complete('run-1', { ...files, 'run.json': '{"sample": {"id": "QMR-7"}}' });
  await complete('run-2', files);
  expect(await scene.window.reaches('run-1', 'registered')).toMatchObject({ measurement_id: 'QMR-7-run-1' });
  expect(await scene.service.services.measurements.byId('QMR-7-run-1')).toMatchObject({ title: 'A & B: NMR 7' });
  expect(await scene.window.reaches('run-2', 'needs-you')).toMatchObject({
    reason: 'no-field',
    message: '{sample}-{name}: {sample} has no value.',
  });

  await scene.bench.write('run-2/run.json', '{"sample": {"id": 8}}');
  expect(await scene.window.reaches('run-2', 'registered')).toMatchObject({ measurement_id: '8-run-2' });
});
