import { commandsOf } from './command.ts';

export const transferCommands = commandsOf('Transfers', 'transfers', [
  {
    id: 'pause-all-fetches',
    title: 'Pause all transfers',
    scope: 'everywhere',
    shortcuts: ['Mod+Shift+P'],
    desktopOnly: true,
  },
  {
    id: 'resume-all-fetches',
    title: 'Resume all transfers',
    scope: 'everywhere',
    shortcuts: ['Mod+Shift+R'],
    desktopOnly: true,
  },
  { id: 'new-fetch', title: 'Fetch a measurement…', shortcuts: ['Mod+N', 'N'], desktopOnly: true },
  { id: 'pause-fetch', title: 'Pause', shortcuts: ['P'], desktopOnly: true },
  { id: 'resume-fetch', title: 'Resume', shortcuts: ['R'], desktopOnly: true },
  { id: 'retry-fetch', title: 'Try again', shortcuts: ['T'], desktopOnly: true },
  { id: 'keep-both-fetch', title: 'Keep both', shortcuts: [], desktopOnly: true },
  { id: 'stop-fetch', title: 'Stop…', shortcuts: ['S'], desktopOnly: true },
  { id: 'verify-fetch', title: 'Verify again', shortcuts: ['V'], desktopOnly: true },
  { id: 'show-fetch-folder', title: 'Show in folder', shortcuts: ['F'], desktopOnly: true },
  { id: 'fetch-first', title: 'Move to the front', shortcuts: ['Alt+Home'], desktopOnly: true },
  { id: 'fetch-earlier', title: 'Move up', shortcuts: ['Alt+ArrowUp'], desktopOnly: true },
  { id: 'fetch-later', title: 'Move down', shortcuts: ['Alt+ArrowDown'], desktopOnly: true },
  { id: 'fetch-last', title: 'Move to the end', shortcuts: ['Alt+End'], desktopOnly: true },
  { id: 'fetch-urgent', title: 'Priority: high', shortcuts: ['H'], desktopOnly: true },
  { id: 'fetch-usual', title: 'Priority: normal', shortcuts: ['M'], desktopOnly: true },
  { id: 'fetch-idle', title: 'Priority: low', shortcuts: ['L'], desktopOnly: true },
  { id: 'remove-fetch', title: 'Remove from the list', shortcuts: ['Delete', 'Mod+Backspace'], desktopOnly: true },
]);

export const captureCommands = commandsOf('Capture', 'capture', [
  { id: 'watch-folder', title: 'Watch a folder…', shortcuts: ['Mod+N', 'N'], desktopOnly: true },
]);

export const serverCommands = commandsOf('Servers', 'servers', [
  { id: 'add-server', title: 'Add a server…', shortcuts: ['Mod+N', 'N'], desktopOnly: true },
  { id: 'test-server', title: 'Test the connection', shortcuts: ['T'], desktopOnly: true },
  { id: 'edit-server', title: 'Edit…', shortcuts: ['F2', 'E'], desktopOnly: true },
  { id: 'remove-server', title: 'Remove…', shortcuts: ['Delete', 'Mod+Backspace'], desktopOnly: true },
  { id: 'fetch-measurement', title: 'Fetch…', shortcuts: ['F'], desktopOnly: true },
]);
