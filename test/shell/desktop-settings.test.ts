import { expect, it } from 'vitest';
import { DesktopLifeSettings } from '../../src-main/shell/settings/desktop-settings.ts';
import type { Settings } from '../../src-main/shell/settings/settings.ts';

function someSettings(set: (on: boolean) => Promise<void> = async () => {}) {
  const kept: Partial<Record<keyof Settings, unknown>> = {};
  const store = {
    get: (name: keyof Settings) => kept[name],
    set: (name: keyof Settings, value: unknown) => void (kept[name] = value),
  };
  let atLogin = false;
  let changes = 0;
  const settings = new DesktopLifeSettings({
    store: store as never,
    login: {
      isOn: async () => atLogin,
      set: async (on) => {
        await set(on);
        atLogin = on;
      },
    },
    hasTray: () => true,
    canNotify: () => true,
    changed: () => (changes += 1),
  });
  return { settings, kept, changes: () => changes };
}

it('starts with notifications on, everything else off, and the question about the tray unanswered', async () => {
  const { settings } = someSettings();
  expect(await settings.read()).toEqual({
    startAtLogin: false,
    closeToTray: null,
    hasTray: true,
    keepAwake: false,
    canNotify: true,
    notifications: { finished: true, failed: true, error: true, degraded: true },
    updates: { look: true, fetch: false },
    problem: null,
  });
});

it('stores changed settings only', async () => {
  const { settings, kept, changes } = someSettings();
  await settings.change({ notifications: { error: false } });
  await settings.change({ notifications: { finished: false }, keepAwake: true });
  expect(await settings.change({ closeToTray: false, startAtLogin: true })).toMatchObject({
    startAtLogin: true,
    closeToTray: false,
    keepAwake: true,
    notifications: { finished: false, failed: true, error: false, degraded: true },
  });
  expect(settings.wantsNotice('error')).toBe(false);
  expect(Object.keys(kept).toSorted()).toEqual(['closeToTray', 'keepAwake', 'notifications']);
  expect(changes()).toBe(3);
});

it('U4: settings older than notices of degraded measurements stay, with those on', async () => {
  const { settings, kept } = someSettings();
  kept.notifications = { finished: false, failed: true, error: false };
  expect((await settings.read()).notifications).toEqual({
    finished: false,
    failed: true,
    error: false,
    degraded: true,
  });
  await settings.change({ notifications: { degraded: false } });
  expect([settings.wantsNotice('degraded'), settings.wantsNotice('failed'), settings.wantsNotice('error')]).toEqual([
    false,
    true,
    false,
  ]);
});

it('a setting that the system refuses is reported, and the others apply', async () => {
  const { settings } = someSettings(async () => {
    throw new Error('The system did not accept it.');
  });
  expect(await settings.change({ startAtLogin: true, keepAwake: true })).toMatchObject({
    startAtLogin: false,
    keepAwake: true,
    problem: 'The system did not accept it.',
  });
});
