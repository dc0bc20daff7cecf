import { commandsOf } from './command.ts';

/** Numbered in the order of the sidebar. */
export const navigationCommands = commandsOf('Go to', 'everywhere', [
  { id: 'go-measurements', title: 'Measurements', shortcuts: ['Mod+1'] },
  { id: 'go-transfers', title: 'Transfers', shortcuts: ['Mod+2'], desktopOnly: true },
  { id: 'go-copies', title: 'Copies', shortcuts: ['Mod+Shift+K'], desktopOnly: true },
  { id: 'go-capture', title: 'Capture', shortcuts: ['Mod+Shift+F'], desktopOnly: true },
  { id: 'go-errors', title: 'Errors', shortcuts: ['Mod+3'] },
  { id: 'go-servers', title: 'Servers', shortcuts: ['Mod+4'], desktopOnly: true },
  { id: 'go-sharing', title: 'Sharing', shortcuts: ['Mod+5'] },
  { id: 'go-tokens', title: 'Tokens', shortcuts: ['Mod+6'] },
  { id: 'go-applications', title: 'Applications', shortcuts: ['Mod+7'] },
  { id: 'go-projects', title: 'Projects', shortcuts: ['Mod+8'] },
  { id: 'go-users', title: 'Users', shortcuts: ['Mod+9'] },
  { id: 'go-benches', title: 'Benches', shortcuts: ['Mod+Shift+G'] },
  { id: 'go-audit', title: 'Audit trail', shortcuts: ['Mod+Shift+L'] },
  { id: 'go-settings', title: 'Settings', shortcuts: ['Mod+,'] },
  { id: 'go-account', title: 'Account', shortcuts: ['Mod+Shift+A'] },
  { id: 'go-notifications', title: 'Notifications', shortcuts: ['Mod+Shift+E'] },
]);

export const viewCommands = commandsOf('View', 'everywhere', [
  { id: 'open-palette', title: 'Command palette', shortcuts: ['Mod+K'] },
  { id: 'find', title: 'Search in this list', shortcuts: ['Mod+F', '/'] },
  { id: 'close-inspector', title: 'Close the inspector', shortcuts: ['Escape'] },
  { id: 'show-happenings', title: 'What happened', shortcuts: ['Mod+Shift+B'] },
  { id: 'show-shortcuts', title: 'Keyboard shortcuts', shortcuts: ['?', 'Mod+/'] },
  { id: 'theme-system', title: 'Appearance: as the system', shortcuts: [] },
  { id: 'theme-light', title: 'Appearance: light', shortcuts: [] },
  { id: 'theme-dark', title: 'Appearance: dark', shortcuts: [] },
]);
