import type { Command } from './command.ts';

/** Numbered in the order of the sidebar. */
export const navigationCommands = [
  { id: 'go-measurements', title: 'Measurements', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+1'] },
  {
    id: 'go-transfers',
    title: 'Transfers',
    group: 'Go to',
    scope: 'everywhere',
    shortcuts: ['Mod+2'],
    desktopOnly: true,
  },
  { id: 'go-errors', title: 'Errors', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+3'] },
  { id: 'go-servers', title: 'Servers', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+4'], desktopOnly: true },
  { id: 'go-sharing', title: 'Sharing', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+5'] },
  { id: 'go-tokens', title: 'Tokens', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+6'] },
  { id: 'go-applications', title: 'Applications', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+7'] },
  { id: 'go-projects', title: 'Projects', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+8'] },
  { id: 'go-users', title: 'Users', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+9'] },
  { id: 'go-audit', title: 'Audit trail', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+Shift+L'] },
  { id: 'go-settings', title: 'Settings', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+,'] },
  { id: 'go-account', title: 'Account', group: 'Go to', scope: 'everywhere', shortcuts: ['Mod+Shift+A'] },
] as const satisfies readonly Command[];

export const viewCommands = [
  { id: 'open-palette', title: 'Command palette', group: 'View', scope: 'everywhere', shortcuts: ['Mod+K'] },
  { id: 'find', title: 'Search in this list', group: 'View', scope: 'everywhere', shortcuts: ['Mod+F', '/'] },
  { id: 'close-inspector', title: 'Close the inspector', group: 'View', scope: 'everywhere', shortcuts: ['Escape'] },
  { id: 'show-shortcuts', title: 'Keyboard shortcuts', group: 'View', scope: 'everywhere', shortcuts: ['?', 'Mod+/'] },
  { id: 'theme-system', title: 'Appearance: as the system', group: 'View', scope: 'everywhere', shortcuts: [] },
  { id: 'theme-light', title: 'Appearance: light', group: 'View', scope: 'everywhere', shortcuts: [] },
  { id: 'theme-dark', title: 'Appearance: dark', group: 'View', scope: 'everywhere', shortcuts: [] },
] as const satisfies readonly Command[];
