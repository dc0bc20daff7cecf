import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { CaptureRuleInput } from '../../../src-main/service/contract/capture/rules.ts';
import { until } from '../until.ts';
import { ruleOf, useCapture } from './scene.ts';

const scene = useCapture();

/** Happenings behind the bell of a user, the oldest first. */
async function toldTo(userId: number, isAdmin = false): Promise<readonly string[]> {
  const rows = await scene.service.services.happenings.list({ userId, isAdmin }, 0, Number.MAX_SAFE_INTEGER, 50);
  return rows.map(({ kind, subject }) => `${kind} ${subject}`).toReversed();
}

test('those whom a rule names are told of its runs, besides the owner and administrators, once each', async () => {
  const { service, bench, window } = scene;
  const bob = await service.user('bob');
  const carol = await service.user('carol');
  const alice = await service.services.users.byUsername('alice');
  await window.add(ruleOf(bench.folder, { owner: 'alice', notify: ['BOB', 'alice'] }));
  await bench.write('run-1/data.raw');
  await bench.write('run-1/done.txt');
  await window.reaches('run-1', 'registered');
  await until(async () => (await toldTo(bob)).length === 1, 'bob is told');
  await appendFile(path.join(bench.folder, 'run-1/data.raw'), 'more');
  const { id } = await window.reaches('run-1', 'changed-after');
  await until(async () => (await toldTo(bob)).length === 2, 'bob is told of the change');
  const both = ['run-registered measurement:run-1', `run-stuck run:${id}`];
  expect(await toldTo(bob)).toEqual(both);
  expect(await toldTo(carol)).toEqual([]);
  expect(await toldTo(alice?.id ?? 0, true)).toEqual(both);
});

test('a project that a rule names is told of its runs by its own rules alone', async () => {
  const { service, bench, window } = scene;
  const { projects, notificationRules, deliveries } = service.services;
  const bob = await service.user('bob');
  const project = await projects.create('lab', 'Lab');
  if (project === null) throw new Error('the project is new');
  await projects.setMember(project.id, bob, 'reporter');
  const rule = await notificationRules.create(
    { user_id: null, project_id: project.id },
    {
      name: 'runs',
      kinds: ['run-registered', 'run-stuck'],
      everybody: false,
      project_id: null,
      channel: 'mail',
      to: 'lab@lab.example',
      digest: 'daily',
      quiet_from: null,
      quiet_until: null,
      paused: false,
    },
    Date.now() - 1000,
  );
  const toldToProject = async () =>
    (await deliveries.ofRule(rule?.id ?? 0, Number.MAX_SAFE_INTEGER, 50)).map(({ kind }) => kind).toReversed();
  await window.add(ruleOf(bench.folder, { project: 'LAB' }));
  await bench.write('run-1/data.raw');
  await bench.write('run-1/done.txt');
  await window.reaches('run-1', 'registered');
  await until(async () => (await toldToProject()).length === 1, 'the project is told');
  await appendFile(path.join(bench.folder, 'run-1/data.raw'), 'more');
  await window.reaches('run-1', 'changed-after');
  await until(async () => (await toldToProject()).length === 2, 'the project is told of the change');
  expect(await toldToProject()).toEqual(['run-registered', 'run-stuck']);
  expect(await toldTo(bob)).toEqual([]);
});

test('a rule that names nobody there is refused, and one stored before there was a list tells nobody', async () => {
  const { service, bench, window } = scene;
  expect(await window.call('POST', '', ruleOf(bench.folder, { notify: ['nobody'] }))).toMatchObject({
    status: 422,
    body: { detail: 'There is no user nobody.' },
  });
  const bob = await service.user('bob');
  const { notify: _left, ...older } = ruleOf(bench.folder);
  expect((await window.call('POST', '', older)).status).toBe(400);
  const stored = await service.services.captureRules.create(older as CaptureRuleInput, Date.now());
  await window.ruleReaches(stored?.id ?? 0, 'watching');
  expect(await window.rule(stored?.id ?? 0)).toMatchObject({ notify: [] });
  await bench.write('run-2/done.txt');
  await window.reaches('run-2', 'registered');
  expect(await toldTo(bob)).toEqual([]);
});
