import type { Command } from 'commander';
import { group } from '../support/command.ts';
import type { Terminal } from '../support/terminal.ts';
import { addTokenCreate } from './token-create.ts';
import { addTokenList } from './token-list.ts';
import { addTokenRevoke } from './token-revoke.ts';

/** `benchport token ...` */
export function addTokenCommands(program: Command, terminal: Terminal): void {
  const tokens = group(program, 'token', 'Personal access tokens: create, list, revoke');
  addTokenCreate(tokens, terminal);
  addTokenList(tokens, terminal);
  addTokenRevoke(tokens, terminal);
}
