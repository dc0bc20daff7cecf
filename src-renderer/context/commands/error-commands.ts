import { commandsOf } from './command.ts';

export const errorCommands = commandsOf('Errors', 'errors', [
  { id: 'resolve-error', title: 'Resolve', shortcuts: ['R'] },
  { id: 'ignore-error', title: 'Ignore', shortcuts: ['I'] },
  { id: 'reopen-error', title: 'Reopen', shortcuts: ['U'] },
  { id: 'merge-errors', title: 'Merge…', shortcuts: ['M'] },
  { id: 'delete-error', title: 'Delete…', shortcuts: ['Delete', 'Mod+Backspace'] },
  { id: 'older-event', title: 'Older event', shortcuts: ['O'] },
  { id: 'newer-event', title: 'Newer event', shortcuts: ['N'] },
  { id: 'oldest-event', title: 'Oldest event', shortcuts: ['Shift+O'] },
  { id: 'latest-event', title: 'Latest event', shortcuts: ['Shift+N'] },
]);

export const projectCommands = commandsOf('Projects', 'project', [
  { id: 'create-project', title: 'Create a project…', scope: 'projects', shortcuts: ['Mod+N', 'N'] },
  { id: 'add-member', title: 'Add a member…', shortcuts: ['M'] },
  { id: 'create-client-key', title: 'Create a client key', shortcuts: ['N'] },
  { id: 'rotate-client-key', title: 'Rotate a client key…', shortcuts: ['R'] },
  { id: 'send-test-event', title: 'Send a test event', shortcuts: ['T'] },
]);
