import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../start.ts';
import { captureWindow, instrumentFolder, lookEveryMs, ruleOf } from './scene.ts';

let service: TestService;
let bench: Awaited<ReturnType<typeof instrumentFolder>>;
let window: ReturnType<typeof captureWindow>;

beforeAll(async () => {
  service = await startTestService({ lookEveryMs, database: null });
  await service.user('alice', true);
  bench = await instrumentFolder();
  window = captureWindow(service);
});
afterAll(async () => {
  await service.end();
  await bench.remove();
});

test('the data directory is not watched through a link either', async () => {
  const link = path.join(bench.folder, 'link');
  await symlink(service.services.config.dataDir, link);
  for (const folder of [link, path.join(link, 'logs')])
    expect(await window.call('POST', '', ruleOf(folder))).toMatchObject({
      status: 422,
      body: { type: expect.stringContaining('bad-path') },
    });
});

test('a look that ends after a pause does not end the pause', async () => {
  const { id } = await window.add(ruleOf(bench.folder));
  const { captureRules } = service.services;
  expect(await window.call('POST', `/${id}/pause`)).toMatchObject({ body: { state: 'paused' } });
  for (const state of ['watching', 'unreachable'] as const)
    expect(await captureRules.setState(id, state, null, Date.now())).toBe(false);
  expect(await captureRules.byId(id)).toMatchObject({ state: 'paused' });
  expect(await window.call('POST', `/${id}/resume`)).toMatchObject({ body: { state: 'starting' } });
});
