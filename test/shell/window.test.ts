import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { menuTemplate } from '../../src-main/shell/window/menu-template.ts';
import { reachableBounds } from '../../src-main/shell/settings/window-bounds.ts';
import { commands } from '../../src-renderer/context/command-catalogue.ts';

function items(
  platform: NodeJS.Platform,
  development = false,
): { all: MenuItemConstructorOptions[]; sent: string[]; opened: string[] } {
  const sent: string[] = [];
  const opened: string[] = [];
  const flatten = (list: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
    list.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flatten(item.submenu) : [])]);
  const template = menuTemplate({
    platform,
    development,
    send: (command) => sent.push(command),
    openInBrowser: (path) => opened.push(path),
  });
  return { all: flatten(template), sent, opened };
}

describe('the menu', () => {
  it('sends only commands that the user interface has, with their shortcuts', () => {
    const { all, sent } = items('linux');
    for (const item of all) if (item.id && item.id !== 'docs') (item.click as () => void)();
    const known = new Map<string, readonly string[]>(commands.map((command) => [command.id, command.shortcuts]));
    expect(sent).toEqual(expect.arrayContaining(commands.filter(({ group }) => group === 'Go to').map(({ id }) => id)));
    for (const item of all) {
      if (!item.id || item.id === 'docs') continue;
      expect(known.has(item.id), item.id).toBe(true);
      if (item.accelerator) expect(known.get(item.id), item.id).toContain(item.accelerator.replace('CmdOrCtrl', 'Mod'));
    }
  });

  it('opens the description of the API in the browser', () => {
    const { all, opened } = items('linux');
    for (const item of all) if (item.id === 'docs') (item.click as () => void)();
    expect(opened).toEqual(['/api/docs']);
  });

  it.each(['linux', 'win32', 'darwin'] as const)('E24 on %s reloads and inspects only in development', (platform) => {
    const roles = (development: boolean) => items(platform, development).all.map((item) => item.role);
    expect(roles(false)).not.toContain('reload');
    expect(roles(false)).not.toContain('toggleDevTools');
    expect(roles(false)).not.toContain('viewMenu');
    expect(roles(true)).toContain('toggleDevTools');
  });
});

describe('the bounds of the window', () => {
  const display = { x: 0, y: 0, width: 1920, height: 1080 };
  const beside = { x: 1920, y: 0, width: 1280, height: 1024 };

  it.each([
    ['where it was', { x: 100, y: 50, width: 1200, height: 800 }, true],
    ['on the second display', { x: 2500, y: 10, width: 600, height: 500 }, true],
    ['hanging over an edge', { x: 1800, y: 0, width: 1200, height: 800 }, true],
    ['on a display that has gone', { x: 4000, y: 0, width: 1200, height: 800 }, false],
    ['above the screen', { x: 100, y: -200, width: 1200, height: 800 }, false],
    ['almost wholly off the left', { x: -1150, y: 50, width: 1200, height: 800 }, false],
  ])('%s', (_what, bounds, kept) => {
    expect(reachableBounds(bounds, [display, beside])).toEqual(kept ? bounds : undefined);
  });

  it('are no larger than the current display', () => {
    const large = { x: 0, y: 0, width: 2560, height: 1400 };
    expect(reachableBounds(large, [display])).toEqual({ x: 0, y: 0, width: 1920, height: 1080 });
    expect(reachableBounds({ ...large, x: 1700 }, [display, beside])).toEqual({
      x: 1700,
      y: 0,
      width: 1280,
      height: 1024,
    });
  });

  it('are unknown at first', () => {
    expect(reachableBounds(undefined, [display])).toBeUndefined();
  });
});
