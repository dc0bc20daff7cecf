import { commandsOf } from './command.ts';

export const listCommands = commandsOf('List', 'list', [
  { id: 'list-next', title: 'Next row', shortcuts: ['ArrowDown', 'J'] },
  { id: 'list-previous', title: 'Previous row', shortcuts: ['ArrowUp', 'K'] },
  { id: 'list-extend-next', title: 'Select to the next row', shortcuts: ['Shift+ArrowDown', 'Shift+J'] },
  { id: 'list-extend-previous', title: 'Select to the previous row', shortcuts: ['Shift+ArrowUp', 'Shift+K'] },
  { id: 'list-page-down', title: 'One page down', shortcuts: ['PageDown'] },
  { id: 'list-page-up', title: 'One page up', shortcuts: ['PageUp'] },
  { id: 'list-first', title: 'First row', shortcuts: ['Home'] },
  { id: 'list-last', title: 'Last row', shortcuts: ['End'] },
  { id: 'list-toggle', title: 'Select or deselect the row', shortcuts: ['X', 'Space'] },
  { id: 'list-select-all', title: 'Select all that match', shortcuts: ['Mod+A'] },
  { id: 'list-open', title: 'Open', shortcuts: ['Enter'] },
]);
