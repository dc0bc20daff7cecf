import type { MenuItemConstructorOptions } from 'electron';

export interface MenuDeps {
  readonly platform: NodeJS.Platform;
  /** Adds reload and the developer tools, which releases must not have. */
  readonly development: boolean;
  readonly send: (command: string) => void;
  readonly openInBrowser: (path: string) => void;
}

/**
 * The application's menu. Entries that act within the window send the id of a command of the user
 * interface; the page itself handles the shortcuts shown here.
 */
export function menuTemplate(deps: MenuDeps): MenuItemConstructorOptions[] {
  const mac = deps.platform === 'darwin';
  const command = (id: string, label: string, shortcut?: string): MenuItemConstructorOptions => ({
    id,
    label,
    click: () => deps.send(id),
    ...(shortcut ? { accelerator: shortcut, registerAccelerator: false } : {}),
  });
  return [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        command('register-folder', 'Register a folder…', 'CmdOrCtrl+N'),
        command('register-files', 'Register files or a ZIP…', 'CmdOrCtrl+Shift+N'),
        separator,
        command('go-settings', 'Settings', 'CmdOrCtrl+,'),
        separator,
        { role: mac ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        command('go-measurements', 'Measurements', 'CmdOrCtrl+1'),
        command('go-transfers', 'Transfers', 'CmdOrCtrl+2'),
        command('go-copies', 'Copies', 'CmdOrCtrl+Shift+K'),
        command('go-capture', 'Capture', 'CmdOrCtrl+Shift+F'),
        command('go-errors', 'Errors', 'CmdOrCtrl+3'),
        command('go-servers', 'Servers', 'CmdOrCtrl+4'),
        command('go-sharing', 'Sharing', 'CmdOrCtrl+5'),
        command('go-tokens', 'Tokens', 'CmdOrCtrl+6'),
        command('go-applications', 'Applications', 'CmdOrCtrl+7'),
        command('go-projects', 'Projects', 'CmdOrCtrl+8'),
        command('go-users', 'Users', 'CmdOrCtrl+9'),
        command('go-benches', 'Benches', 'CmdOrCtrl+Shift+G'),
        command('go-audit', 'Audit trail', 'CmdOrCtrl+Shift+L'),
        command('go-account', 'Account', 'CmdOrCtrl+Shift+A'),
        command('go-notifications', 'Notifications', 'CmdOrCtrl+Shift+E'),
        command('open-palette', 'Search commands and measurements', 'CmdOrCtrl+K'),
        separator,
        command('theme-system', 'Appearance: as the system'),
        command('theme-light', 'Appearance: light'),
        command('theme-dark', 'Appearance: dark'),
        separator,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        ...(deps.development ? [separator, { role: 'reload' } as const, { role: 'toggleDevTools' } as const] : []),
      ],
    },
    {
      role: 'help',
      submenu: [
        command('show-shortcuts', 'Keyboard shortcuts', 'CmdOrCtrl+/'),
        { id: 'docs', label: 'HTTP interface', click: () => deps.openInBrowser('/api/docs') },
        ...(mac ? [] : [separator, { role: 'about' } as const]),
      ],
    },
  ];
}

const separator = { type: 'separator' } as const;
