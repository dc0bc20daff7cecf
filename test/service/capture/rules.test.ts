import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { requireRule } from '../../../src-main/service/capture/rules/require-rule.ts';
import type { CaptureRuleInput } from '../../../src-main/service/contract/capture/rules.ts';
import { ruleOf, useSharedCapture } from './scene.ts';

const scene = useSharedCapture();

test('the data directory is not watched through a link either', async () => {
  const link = path.join(scene.bench.folder, 'link');
  await symlink(scene.service.services.config.dataDir, link);
  for (const folder of [link, path.join(link, 'logs')])
    expect(await scene.window.call('POST', '', ruleOf(folder))).toMatchObject({
      status: 422,
      body: { type: expect.stringContaining('bad-path') },
    });
});

test('a look that ends after a pause does not end the pause', async () => {
  const { id } = await scene.window.add(ruleOf(scene.bench.folder));
  const { captureRules } = scene.service.services;
  expect(await scene.window.call('POST', `/${id}/pause`)).toMatchObject({ body: { state: 'paused' } });
  for (const state of ['watching', 'unreachable'] as const)
    expect(await captureRules.setState(id, state, null, Date.now())).toBe(false);
  expect(await captureRules.byId(id)).toMatchObject({ state: 'paused' });
  expect(await scene.window.call('POST', `/${id}/resume`)).toMatchObject({ body: { state: 'starting' } });
});

test.each<[string, Partial<CaptureRuleInput>]>([
  ['There is no field {usr}.', { owner: '{usr}' }],
  ['The id needs a field', { id_template: 'run' }],
  ['The last level of the layout needs {name}.', { layout: '{user}' }],
  ['The field {date} is always there.', { fields: [{ name: 'date', from: 'a.txt', key: 'Date' }] }],
  ['Name at least one marker.', { markers: [] }],
  ['for how many minutes', { sign: 'quiet' }],
  ['A pattern is for runs that are files.', { pattern: '*.raw' }],
  ['needs {name}', { unit: 'files', pattern: '*.wiff' }],
  ['the name would have no end', { unit: 'files', pattern: '{name}*' }],
  ['choose several files', { unit: 'file', pattern: '{name}.wiff*' }],
  ['There is no user bob.', { owner: 'bob' }],
  ['There is no user carol.', { readers: ['*', 'carol'] }],
  ['There is no project imaging.', { project: 'imaging' }],
  ['The server to push to does not exist.', { push_to: 99 }],
  ['absolute path', { folder: 'instrument' }],
  ['cannot be watched', { folder: '/nowhere/at/all' }],
  ['is not a folder', { folder: import.meta.filename }],
])('a rule is refused with "%s", when it is made and when it is tried', async (message, changes) => {
  const rule = ruleOf(scene.bench.folder, { name: 'refused', ...changes });
  for (const address of ['', '/try'])
    expect(await scene.window.call('POST', address, rule)).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining(message) as string },
    });
});

test('a facility watches no folders, and replicas with a library only copy', async () => {
  const { services } = scene.service;
  const database = { url: 'postgres://facility', listenUrl: null, connections: 4 };
  const withConfig = async (config: Partial<typeof services.config>): Promise<void> =>
    requireRule({ ...services, config: { ...services.config, ...config } }, ruleOf(scene.bench.folder));
  await expect(withConfig({ database })).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('watches no folders') as string,
  });
  await expect(withConfig({ libraryDir: '/srv/library' })).rejects.toMatchObject({
    status: 422,
    message: expect.stringContaining('always copied') as string,
  });
});
