import type { Command } from 'commander';
import { group } from '../support/command.ts';
import { addKeyCreate } from './key-create.ts';
import { addKeyDelete } from './key-delete.ts';
import { addKeyList } from './key-list.ts';
import type { Terminal } from '../support/terminal.ts';

/** `benchport key ...` */
export function addKeyCommands(program: Command, terminal: Terminal): void {
  const keys = group(program, 'key', 'Client keys (DSN), with which programs send their errors');
  addKeyCreate(keys, terminal);
  addKeyList(keys, terminal);
  addKeyDelete(keys, terminal);
}
