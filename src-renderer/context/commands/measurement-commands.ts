import type { Command } from './command.ts';

export const measurementCommands = [
  {
    id: 'register-folder',
    title: 'Register a folder…',
    group: 'Measurements',
    scope: 'measurements',
    shortcuts: ['Mod+N', 'N'],
    desktopOnly: true,
  },
  {
    id: 'register-files',
    title: 'Register files or a ZIP…',
    group: 'Measurements',
    scope: 'measurements',
    shortcuts: ['Mod+Shift+N'],
    desktopOnly: true,
  },
  { id: 'copy-url', title: 'Copy download URL', group: 'Measurements', scope: 'measurements', shortcuts: ['U'] },
  { id: 'copy-curl', title: 'Copy curl line', group: 'Measurements', scope: 'measurements', shortcuts: ['C'] },
  {
    id: 'copy-manifest-url',
    title: 'Copy manifest URL',
    group: 'Measurements',
    scope: 'measurements',
    shortcuts: ['M'],
  },
  {
    id: 'copy-checksums',
    title: 'Copy sha256sum list',
    group: 'Measurements',
    scope: 'measurements',
    shortcuts: ['S'],
  },
  { id: 'grant', title: 'Grant access…', group: 'Measurements', scope: 'measurements', shortcuts: ['G'] },
  { id: 'verify', title: 'Verify', group: 'Measurements', scope: 'measurements', shortcuts: ['V'] },
  {
    id: 'export',
    title: 'Export…',
    group: 'Measurements',
    scope: 'measurements',
    shortcuts: ['Mod+E'],
    desktopOnly: true,
  },
  { id: 'rename', title: 'Rename…', group: 'Measurements', scope: 'measurements', shortcuts: ['F2'] },
  {
    id: 'remove',
    title: 'Remove…',
    group: 'Measurements',
    scope: 'measurements',
    shortcuts: ['Delete', 'Mod+Backspace'],
  },
] as const satisfies readonly Command[];
