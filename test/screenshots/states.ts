import type { Page } from '@playwright/test';
import path from 'node:path';
import { giveBridge } from '../e2e/browser/screens-fixture.ts';
import type { FakeOptions } from '../renderer/fakes/fake-options.ts';
import { startFakeService } from '../renderer/fakes/fake-service.ts';
import { fakeRunErrors } from '../renderer/fakes/fake-timeline.ts';
import { fileScenes } from './files-scene.ts';
import { previewScenes } from './preview-scene.ts';
import { narrow, themes, large, type Camera } from './camera.ts';
import { outgoing, sharing, shut } from './sharing-scene.ts';
import {
  type Scene,
  fetching,
  showsCopies,
  showsRunErrors,
  showsSharing,
  tab,
  tall,
  triesRule,
} from './scene-steps.ts';
import { errors, happened, removedScenes } from './happened-scenes.ts';

const rendererDir = path.resolve(import.meta.dirname, '../../out/renderer');

const busy: Omit<FakeOptions, 'rendererDir'> = {
  fetches: { kinds: ['fetching', 'verifying', 'queued', 'queued', 'waiting', 'paused', 'done', 'done', 'done'] },
};
const watched: Omit<FakeOptions, 'rendererDir'> = { captures: { rules: true } };
const told: Omit<FakeOptions, 'rendererDir'> = { notifications: { rules: 5, deliveries: 60 } };
const sendsTest = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('has taken the mail').waitFor();
};
const every: Omit<FakeOptions, 'rendererDir'> = { fetches: { count: 15 } };
const run = '/ui/measurements/qmr-2026-00040';

const scenes: readonly Scene[] = [
  ...removedScenes,
  { name: 'copies-empty', at: '/ui/copies' },
  { name: 'copies', at: '/ui/copies', arrange: showsCopies },
  { name: 'copies-narrow', at: '/ui/copies', viewport: narrow, arrange: showsCopies },
  { name: 'capture-empty', at: '/ui/capture', once: true },
  { name: 'capture', at: '/ui/capture', options: watched },
  { name: 'capture-decisions', at: '/ui/capture?filter=needs-you', options: watched, once: true },
  { name: 'capture-narrow', at: '/ui/capture', options: watched, viewport: narrow, once: true },
  { name: 'capture-wide', at: '/ui/capture', options: watched, viewport: large },
  { name: 'capture-failing', at: '/ui/capture', options: { failing: 'local/captures' }, once: true },
  { name: 'capture-rule', at: '/ui/capture', options: watched, arrange: triesRule, once: true },
  { name: 'benches-empty', at: '/ui/benches', once: true },
  { name: 'benches', at: '/ui/benches', options: { fleet: { benches: 12 } } },
  {
    name: 'benches-busy',
    at: '/ui/benches',
    options: { fleet: { benches: 100 } },
    viewport: large,
  },
  { name: 'benches-detail', at: '/ui/benches/bench-001', options: { fleet: { benches: 12 } } },
  {
    name: 'benches-narrow',
    at: '/ui/benches',
    options: { fleet: { benches: 100 } },
    viewport: { width: 420, height: 800 },
  },
  { name: 'benches-cut-off', at: '/ui/benches', options: { fleet: { benches: 12, cutOff: true } }, once: true },
  { name: 'benches-failing', at: '/ui/benches', options: { failing: 'fleet' }, once: true },
  { name: 'transfers-empty', at: '/ui/transfers' },
  { name: 'transfers', at: '/ui/transfers/1', options: busy, arrange: fetching() },
  { name: 'transfers-asking', at: '/ui/transfers/8?filter=attention', options: every, arrange: fetching() },
  { name: 'transfers-failed', at: '/ui/transfers/13', options: every, arrange: fetching(tab('Files')) },
  { name: 'transfer-pieces', at: '/ui/transfers/1', options: every, arrange: fetching(tab('Pieces')), once: true },
  { name: 'transfer-log', at: '/ui/transfers/6', options: every, arrange: fetching(tab('Log')), once: true },
  { name: 'transfers-narrow', at: '/ui/transfers', options: every, viewport: narrow, arrange: fetching() },
  { name: 'servers-empty', at: '/ui/servers', options: { servers: { servers: false, found: true } }, once: true },
  { name: 'servers', at: '/ui/servers', options: { servers: { found: true } } },
  {
    name: 'server-new',
    at: '/ui/servers',
    options: { servers: { found: true } },
    arrange: async (page) => page.getByRole('button', { name: 'Add Benchport on bench-9' }).click(),
    once: true,
  },
  {
    name: 'server-measurements',
    at: '/ui/servers/1',
    options: { servers: { measurements: 1000 } },
    arrange: async (page) => page.getByText('qmr-2026-00998', { exact: true }).click(),
  },
  {
    name: 'fetch-new',
    at: '/ui/servers/1',
    options: { servers: { measurements: 1000 } },
    arrange: async (page) => {
      await page.getByText('qmr-2026-00998', { exact: true }).dblclick();
      await page.getByLabel('Some files').check();
    },
  },
  { name: 'server-failed', at: '/ui/servers/4', once: true },
  {
    name: 'server-edit',
    at: '/ui/servers/2',
    arrange: async (page) => {
      await page.getByRole('button', { name: 'More' }).first().click();
      await page.getByRole('menuitem', { name: 'Edit…' }).click();
      await page.getByText('It is asked again once a day').scrollIntoViewIfNeeded();
    },
  },
  { name: 'servers-narrow', at: '/ui/servers', options: { servers: { found: true } }, viewport: narrow, once: true },
  { name: 'sharing-off', at: '/ui/sharing', arrange: showsSharing(shut, []), once: true },
  {
    name: 'sharing',
    at: '/ui/sharing',
    arrange: showsSharing(sharing, outgoing),
    viewport: { width: 1280, height: 1200 },
  },
  {
    name: 'sharing-narrow',
    at: '/ui/sharing',
    arrange: showsSharing(sharing, outgoing),
    viewport: { width: 360, height: 1400 },
    once: true,
  },
  {
    name: 'settings',
    at: '/ui/settings',
    viewport: tall,
    arrange: async (page) => page.getByLabel('Only at certain hours').check(),
  },
  ...(['data', 'password', 'sharing', 'begin'] as const).map((step, steps): Scene => ({
    name: `first-run-${step}`,
    at: '/ui/',
    options: { needsSetup: true, accounts: { hasPassword: false } },
    once: true,
    arrange: async (page) => {
      await page.route('**/api/v4/local/sharing', (asked) =>
        asked.fulfill({ json: { ...shut, needs_password: true } }),
      );
      await page.getByRole('button', { name: 'Create account' }).click();
      for (let at = 0; at < steps; at += 1) await page.getByRole('button', { name: 'Continue' }).click();
    },
  })),
  { name: 'first-run', at: '/ui/', options: { needsSetup: true } },
  { name: 'run-errors', at: run, options: { measurements: 40 }, arrange: tab('Errors') },
  { name: 'run-errors-narrow', at: run, options: { measurements: 40 }, viewport: narrow, arrange: tab('Errors') },
  {
    name: 'run-errors-none',
    at: run,
    options: { measurements: 40 },
    arrange: showsRunErrors(fakeRunErrors(0)),
    once: true,
  },
  { name: 'errors', at: errors, options: { tracking: { errors: 30, hostile: false } } },
  { name: 'error-detail', at: `${errors}/1`, options: { tracking: { errors: 30, hostile: false } } },
  {
    name: 'error-overview',
    at: `${errors}/1`,
    options: { tracking: { errors: 30, hostile: false } },
    arrange: tab('Overview'),
    once: true,
  },
  { name: 'errors-none', at: errors, options: { tracking: { errors: 0 } }, once: true },
  { name: 'errors-no-project', at: '/ui/errors', options: { tracking: { projects: false } }, once: true },
  { name: 'projects', at: '/ui/projects', once: true },
  { name: 'applications', at: '/ui/applications' },
  { name: 'notifications-empty', at: '/ui/account/notifications' },
  { name: 'notifications', at: '/ui/account/notifications/2', options: told },
  {
    name: 'notifications-rule',
    at: '/ui/account/notifications',
    options: told,
    arrange: async (page) => page.getByRole('button', { name: 'Add rule' }).click(),
    viewport: { width: 1280, height: 1000 },
    once: true,
  },
  { name: 'notifications-test', at: '/ui/account/notifications/1', options: told, arrange: sendsTest, once: true },
  { name: 'notifications-wide', at: '/ui/account/notifications/2', options: told, viewport: large },
  {
    name: 'notifications-failing',
    at: '/ui/account/notifications',
    options: { failing: 'user/notifications' },
    once: true,
  },
  { name: 'notifications-narrow', at: '/ui/account/notifications', options: told, viewport: narrow, once: true },
  {
    name: 'mail-server',
    at: '/ui/settings#mail-server',
    options: { door: 'browser', notifications: { mail: true } },
    viewport: { width: 1280, height: 1100 },
    once: true,
    arrange: async (page) => {
      await page.getByLabel('Send a test to').fill('alice@lab.example');
      await page.locator('#mail-server').getByRole('button', { name: 'Send a test' }).click();
      await page.getByText('has taken the mail').waitFor();
    },
  },
  { name: 'account', at: '/ui/account', viewport: { width: 1280, height: 1100 } },
  { name: 'users', at: '/ui/users', options: { accounts: { users: 8 } }, once: true },
  { name: 'audit', at: '/ui/audit', options: { accounts: { events: 60 } } },
  ...happened,
  ...fileScenes,
  ...previewScenes,
];

/** Takes the pictures of the scenes whose names begin with this. */
export async function shootStates({ context, shoot }: Camera, begin: string): Promise<void> {
  for (const scene of scenes.filter((one) => one.name.startsWith(begin))) {
    const { name, at, options, viewport, once, arrange } = scene;
    for (const theme of once === true ? (['light'] as const) : themes) {
      const service = await startFakeService({ rendererDir, door: 'window', ...options });
      try {
        const page = await (await context(theme, viewport)).newPage();
        await page.clock.install();
        if (scene.inBrowser !== true) await giveBridge(page);
        await page.goto(`${service.url}${at}`);
        await arrange?.(page, service);
        await shoot(page, `${name}-${theme}`);
      } catch (error) {
        throw new Error(`${name}-${theme} could not be taken`, { cause: error });
      } finally {
        await service.close();
      }
    }
  }
}
