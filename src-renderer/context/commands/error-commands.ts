import type { Command } from './command.ts';

export const errorCommands = [
  { id: 'resolve-error', title: 'Resolve', group: 'Errors', scope: 'errors', shortcuts: ['R'] },
  { id: 'ignore-error', title: 'Ignore', group: 'Errors', scope: 'errors', shortcuts: ['I'] },
  { id: 'reopen-error', title: 'Reopen', group: 'Errors', scope: 'errors', shortcuts: ['U'] },
  { id: 'merge-errors', title: 'Merge…', group: 'Errors', scope: 'errors', shortcuts: ['M'] },
  { id: 'delete-error', title: 'Delete…', group: 'Errors', scope: 'errors', shortcuts: ['Delete', 'Mod+Backspace'] },
  { id: 'older-event', title: 'Older event', group: 'Errors', scope: 'errors', shortcuts: ['O'] },
  { id: 'newer-event', title: 'Newer event', group: 'Errors', scope: 'errors', shortcuts: ['N'] },
  { id: 'oldest-event', title: 'Oldest event', group: 'Errors', scope: 'errors', shortcuts: ['Shift+O'] },
  { id: 'latest-event', title: 'Latest event', group: 'Errors', scope: 'errors', shortcuts: ['Shift+N'] },
] as const satisfies readonly Command[];

export const projectCommands = [
  { id: 'create-project', title: 'Create a project…', group: 'Projects', scope: 'projects', shortcuts: ['Mod+N', 'N'] },
  { id: 'add-member', title: 'Add a member…', group: 'Projects', scope: 'project', shortcuts: ['M'] },
  { id: 'create-client-key', title: 'Create a client key', group: 'Projects', scope: 'project', shortcuts: ['N'] },
  { id: 'rotate-client-key', title: 'Rotate a client key…', group: 'Projects', scope: 'project', shortcuts: ['R'] },
  { id: 'send-test-event', title: 'Send a test event', group: 'Projects', scope: 'project', shortcuts: ['T'] },
] as const satisfies readonly Command[];
