import type { MenuItemConstructorOptions } from 'electron';

/** What the menu needs to know and do. */
export interface MenuParts {
  readonly platform: NodeJS.Platform;
  /** Adds reloading and the developer tools, which a release must not have. */
  readonly development: boolean;
  readonly send: (command: string) => void;
  readonly openInBrowser: (path: string) => void;
}

/** The application's menu. What it does in the window it does by sending a command, which the palette and the keyboard send as well. */
export function menuTemplate(parts: MenuParts): MenuItemConstructorOptions[] {
  const command = (id: string, label: string, accelerator?: string): MenuItemConstructorOptions => ({
    id,
    label,
    click: () => parts.send(id),
    ...(accelerator ? { accelerator } : {}),
  });
  const mac = parts.platform === 'darwin';
  const separator = { type: 'separator' } as const;
  return [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    {
      id: 'file',
      label: '&File',
      submenu: [
        command('measurement.registerFolder', 'Register folder…', 'CmdOrCtrl+O'),
        command('measurement.registerFiles', 'Register files or ZIP…', 'CmdOrCtrl+Shift+O'),
        separator,
        { role: mac ? 'close' : 'quit' },
      ],
    },
    { role: 'editMenu' },
    {
      id: 'view',
      label: '&View',
      submenu: [
        { ...command('palette.open', 'Command palette', 'CmdOrCtrl+K'), registerAccelerator: false },
        separator,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        ...(parts.development ? [separator, { role: 'reload' } as const, { role: 'toggleDevTools' } as const] : []),
      ],
    },
    {
      role: 'help',
      submenu: [
        { id: 'docs', label: 'HTTP interface', click: () => parts.openInBrowser('/api/docs') },
        ...(mac ? [] : [separator, { role: 'about' } as const]),
      ],
    },
  ];
}
