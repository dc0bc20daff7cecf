import { expect, test as base, type Page } from '@playwright/test';
import { fileURLToPath } from 'node:url';
import { axeFindings, type Sight } from './axe.ts';
import type { FakeOptions, FakeService } from '../../renderer/fakes/fake-options.ts';
import { startFakeService } from '../../renderer/fakes/fake-service.ts';

const rendererDir = fileURLToPath(new URL('../../../out/renderer', import.meta.url));

interface Screens {
  /** Starts an in-memory service and opens a screen of it. */
  readonly open: (path: string, options?: Omit<FakeOptions, 'rendererDir'>) => Promise<FakeService>;
}

/**
 * Screens of an in-memory service. A page that violates its content security policy or throws fails
 * its test.
 */
export const test = base.extend<Screens>({
  open: async ({ page }, use) => {
    const services: FakeService[] = [];
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (/content security policy|refused to/i.test(message.text())) complaints.push(message.text());
    });
    await use(async (path, options = {}) => {
      const service = await startFakeService({ rendererDir, ...options });
      services.push(service);
      await page.goto(`${service.url}${path}`);
      return service;
    });
    for (const service of services) await service.close();
    expect(complaints).toEqual([]);
  },
});

/** Gives the page the window's bridge, whose calls are recorded in `window.calls`. */
export async function giveBridge(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const calls: unknown[][] = [];
    let settings = {
      startAtLogin: false,
      closeToTray: null,
      hasTray: true,
      keepAwake: false,
      canNotify: true,
      notifications: { finished: true, failed: true, error: true, degraded: true },
      updates: { look: true, fetch: false },
      problem: null,
    };
    let updates: object = { version: '0.1.0', channel: 'latest', lookedAt: null, state: { kind: 'quiet' } };
    const note =
      <T>(name: string, answer: T) =>
      (...values: unknown[]): T => {
        calls.push([name, ...values]);
        return answer;
      };
    Object.assign(window, {
      calls,
      benchport: {
        platform: 'linux',
        version: '0.1.0',
        chooseFolders: note('chooseFolders', Promise.resolve(['/data/instrument/qmr-2026-114'])),
        chooseFiles: note('chooseFiles', Promise.resolve(['/data/instrument/run-7.zip'])),
        chooseExportFolder: note('chooseExportFolder', Promise.resolve('/data/export')),
        pathsOf: (files: File[]) =>
          files.map((file) => (file.name.startsWith('from-a-page') ? '' : `/dropped/${file.name}`)),
        startDrag: note('startDrag', undefined),
        showInFolder: note('showInFolder', Promise.resolve()),
        openInBrowser: note('openInBrowser', Promise.resolve()),
        copySecret: note('copySecret', Promise.resolve()),
        onCommand: (listener: (command: string) => void) => {
          Object.assign(window, { menu: listener });
          return () => undefined;
        },
        setTheme: note('setTheme', Promise.resolve()),
        chooseNewBackup: note('chooseNewBackup', Promise.resolve('/media/backups/benchport.zip')),
        chooseBackup: note('chooseBackup', Promise.resolve('/media/backups/benchport.zip')),
        chooseDataFolder: note('chooseDataFolder', Promise.resolve('/media/backups')),
        chooseFetchFolder: note('chooseFetchFolder', Promise.resolve('/data/fetched')),
        onNavigate: (listener: (route: string) => void) => {
          Object.assign(window, { navigate: listener });
          return () => undefined;
        },
        getDesktopSettings: async () => settings,
        setDesktopSettings: async (change: { notifications?: object; updates?: object }) => {
          calls.push(['setDesktopSettings', change]);
          const notifications = { ...settings.notifications, ...change.notifications };
          settings = { ...settings, ...change, notifications, updates: { ...settings.updates, ...change.updates } };
          return settings;
        },
        getUpdates: async () => updates,
        actOnUpdates: async (action: 'look' | 'fetch' | 'install' | 'not-now') => {
          calls.push(['actOnUpdates', action]);
          const state = {
            look: { kind: 'found', version: '0.2.0' },
            fetch: { kind: 'ready', version: '0.2.0', install: 'asks', waitsFor: [] },
            install: { kind: 'ready', version: '0.2.0', install: 'when-calm', waitsFor: ['fetches', 'jobs'] },
            'not-now': { kind: 'ready', version: '0.2.0', install: 'asks', waitsFor: [] },
          }[action];
          updates = { ...updates, lookedAt: new Date().toISOString(), state };
          return updates;
        },
      },
    });
  });
}

/** The calls of the bridge. */
export function bridgeCalls(page: Page): Promise<unknown[][]> {
  return page.evaluate(() => (window as unknown as { calls: unknown[][] }).calls);
}

/**
 * Expects no violations from axe (the whole page with all rules, unless given otherwise), with the
 * colours after all transitions.
 */
export async function expectAccessible(page: Page, sight: Sight = {}): Promise<void> {
  await page.evaluate(async () => {
    for (;;) {
      // A recent change, for instance of the theme, starts its transitions with the next frame.
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      // An endless animation never finishes, a cancelled one rejects; neither changes a colour. All
      // are awaited together: one that is cancelled while another is awaited makes a new promise,
      // which nothing would handle.
      const ending = document
        .getAnimations()
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity);
      if (ending.length === 0) return;
      await Promise.allSettled(ending.map(async (animation) => animation.finished));
    }
  });
  expect(await axeFindings(page, sight)).toEqual([]);
}

export { expect };
