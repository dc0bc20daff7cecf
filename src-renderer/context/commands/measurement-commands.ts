import { commandsOf } from './command.ts';

export const measurementCommands = commandsOf('Measurements', 'measurements', [
  { id: 'register-folder', title: 'Register a folder…', shortcuts: ['Mod+N', 'N'], desktopOnly: true },
  { id: 'register-files', title: 'Register files or a ZIP…', shortcuts: ['Mod+Shift+N'], desktopOnly: true },
  { id: 'upload', title: 'Upload a folder or files…', shortcuts: ['Shift+U'], browserOnly: true },
  { id: 'copy-url', title: 'Copy download URL', shortcuts: ['U'] },
  { id: 'copy-curl', title: 'Copy curl line', shortcuts: ['C'] },
  { id: 'copy-manifest-url', title: 'Copy manifest URL', shortcuts: ['M'] },
  { id: 'copy-checksums', title: 'Copy sha256sum list', shortcuts: ['S'] },
  { id: 'grant', title: 'Grant access…', shortcuts: ['G'] },
  { id: 'keep-copy', title: 'Keep a copy on a server…', shortcuts: ['Shift+C'], desktopOnly: true },
  { id: 'verify', title: 'Verify', shortcuts: ['V'] },
  { id: 'export', title: 'Export…', shortcuts: ['Mod+E'], desktopOnly: true },
  { id: 'rename', title: 'Rename…', shortcuts: ['F2'] },
  { id: 'remove', title: 'Remove…', shortcuts: ['Delete', 'Mod+Backspace'] },
  { id: 'removed-measurements', title: 'Removed measurements…', shortcuts: ['Shift+R'] },
]);
