import type { Command } from 'commander';
import { group } from '../support/command.ts';
import type { Terminal } from '../support/terminal.ts';
import { addNotifyAdd } from './notify-add.ts';
import { addNotifyList } from './notify-list.ts';
import { addNotifyMailServer } from './notify-mail-server.ts';
import { addNotifyRemove } from './notify-remove.ts';
import { addNotifyTest } from './notify-test.ts';

/** `benchport notify ...` */
export function addNotifyCommands(program: Command, terminal: Terminal): void {
  const notifications = group(program, 'notify', 'Rules by which users are told by mail or webhook');
  addNotifyAdd(notifications, terminal);
  addNotifyList(notifications, terminal);
  addNotifyTest(notifications, terminal);
  addNotifyRemove(notifications, terminal);
  addNotifyMailServer(notifications, terminal);
}
