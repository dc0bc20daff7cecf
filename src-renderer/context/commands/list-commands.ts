import type { Command } from './command.ts';

export const listCommands = [
  { id: 'list-next', title: 'Next row', group: 'List', scope: 'list', shortcuts: ['ArrowDown', 'J'] },
  { id: 'list-previous', title: 'Previous row', group: 'List', scope: 'list', shortcuts: ['ArrowUp', 'K'] },
  {
    id: 'list-extend-next',
    title: 'Select to the next row',
    group: 'List',
    scope: 'list',
    shortcuts: ['Shift+ArrowDown', 'Shift+J'],
  },
  {
    id: 'list-extend-previous',
    title: 'Select to the previous row',
    group: 'List',
    scope: 'list',
    shortcuts: ['Shift+ArrowUp', 'Shift+K'],
  },
  { id: 'list-page-down', title: 'One page down', group: 'List', scope: 'list', shortcuts: ['PageDown'] },
  { id: 'list-page-up', title: 'One page up', group: 'List', scope: 'list', shortcuts: ['PageUp'] },
  { id: 'list-first', title: 'First row', group: 'List', scope: 'list', shortcuts: ['Home'] },
  { id: 'list-last', title: 'Last row', group: 'List', scope: 'list', shortcuts: ['End'] },
  { id: 'list-toggle', title: 'Select or deselect the row', group: 'List', scope: 'list', shortcuts: ['X', 'Space'] },
  { id: 'list-select-all', title: 'Select all that match', group: 'List', scope: 'list', shortcuts: ['Mod+A'] },
  { id: 'list-open', title: 'Open', group: 'List', scope: 'list', shortcuts: ['Enter'] },
] as const satisfies readonly Command[];
