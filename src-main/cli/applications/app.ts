import type { Command } from 'commander';
import { addAppCreate } from './app-create.ts';
import { addAppList } from './app-list.ts';
import { addAppRemove } from './app-remove.ts';
import { addAppUpdate } from './app-update.ts';
import { group } from '../support/command.ts';
import type { Terminal } from '../support/terminal.ts';

/** `benchport app ...` */
export function addAppCommands(program: Command, terminal: Terminal): void {
  const apps = group(program, 'app', 'Applications that sign their users in here (OAuth 2.0)');
  addAppCreate(apps, terminal);
  addAppList(apps, terminal);
  addAppUpdate(apps, terminal);
  addAppRemove(apps, terminal);
}
