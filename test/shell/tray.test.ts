import type { MenuItem, MenuItemConstructorOptions } from 'electron';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hasTrayHost } from '../../src-main/shell/tray/tray-host.ts';
import { trayTemplate, trayTooltip, type TrayState } from '../../src-main/shell/tray/tray-template.ts';

const nothing = { running: 0, underWay: 0, paused: 0, asking: 0, failed: 0, fraction: null };
const still: TrayState = {
  fetches: nothing,
  downBytesPerSecond: 0,
  secondsLeft: null,
  unknownSizes: 0,
  upBytesPerSecond: 0,
  upClients: 0,
  sharing: false,
};

describe('the icon in the tray', () => {
  it('shows rate and remaining time if there are any', () => {
    expect(trayTooltip(still)).toBe('Benchport');
    const busy: TrayState = {
      fetches: { ...nothing, running: 2, underWay: 5, paused: 1, asking: 1 },
      downBytesPerSecond: 88 * 1024 * 1024,
      secondsLeft: 240,
      unknownSizes: 0,
      upBytesPerSecond: 1024,
      upClients: 3,
      sharing: true,
    };
    expect(trayTooltip(busy).split('\n')).toEqual([
      'Benchport',
      'Fetching 2, 88.0 MiB/s, 4 min left',
      '3 waiting',
      '1 paused',
      '1 needs you',
      'Sending 1.0 KiB/s to 3',
    ]);
  });

  it('its menu items do what they say, and only useful ones are offered', () => {
    const done: string[] = [];
    const actions = {
      open: (...more: unknown[]) => done.push(`open${more.join()}`),
      pauseAll: () => done.push('pause'),
      resumeAll: () => done.push('resume'),
      setSharing: (on: boolean) => done.push(`sharing ${on}`),
      quit: () => done.push('quit'),
    };
    const template = (state: TrayState): MenuItemConstructorOptions[] =>
      trayTemplate(state, actions as never).filter(({ type }) => type !== 'separator');
    for (const item of template(still)) item.click?.({ checked: true } as MenuItem, undefined, {});
    expect(done).toEqual(['open', 'pause', 'resume', 'sharing true', 'quit']);
    expect(template(still).map(({ label }) => label)).toEqual([
      'Open Benchport',
      'Pause all',
      'Resume all',
      'Share on the local network',
      'Quit',
    ]);
    const usable = (state: TrayState) => template(state).map(({ enabled }) => enabled ?? true);
    expect(usable(still)).toEqual([true, false, false, true, true]);
    expect(usable({ ...still, fetches: { ...nothing, underWay: 1, paused: 1 }, sharing: null })).toEqual([
      true,
      true,
      true,
      false,
      true,
    ]);
    expect(template({ ...still, sharing: true }).find(({ type }) => type === 'checkbox')?.checked).toBe(true);
  });
});

describe('whether the desktop shows tray icons', () => {
  const originalPath = process.env['PATH'];
  const folders: string[] = [];

  afterEach(async () => {
    process.env['PATH'] = originalPath;
    for (const folder of folders.splice(0)) await fs.rm(folder, { recursive: true });
  });

  /** Puts only these scripts on PATH. */
  async function onlyPrograms(programs: Readonly<Record<string, string>>): Promise<void> {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'bp-tray-'));
    folders.push(folder);
    for (const [name, script] of Object.entries(programs))
      await fs.writeFile(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    process.env['PATH'] = folder;
  }

  it.each<[string, Record<string, string>, boolean]>([
    ['shown', { 'dbus-send': 'echo "   variant       boolean true"' }, true],
    ['not shown', { 'dbus-send': 'echo "   variant       boolean false"' }, false],
    ['shown, as the other program says', { 'dbus-send': 'exit 1', gdbus: 'echo "(<true>,)"' }, true],
    ['not shown when nobody answers', { 'dbus-send': 'exit 1', gdbus: 'exit 1' }, false],
    ['not shown when nobody can be asked', {}, false],
  ])('%s', async (_what, programs, shown) => {
    await onlyPrograms(programs);
    expect(await hasTrayHost('linux')).toBe(shown);
  });

  it('they are always shown on other systems', async () => {
    await onlyPrograms({});
    expect([await hasTrayHost('win32'), await hasTrayHost('darwin')]).toEqual([true, true]);
  });
});
