import type { Command } from 'commander';
import { group } from '../support/command.ts';
import { addQuota } from '../support/quota-command.ts';
import { requireUser } from '../support/require-user.ts';
import type { Terminal } from '../support/terminal.ts';
import { addUserBlock } from './user-block.ts';
import { addUserCreate } from './user-create.ts';
import { addUserList } from './user-list.ts';
import { addUserReset2fa } from './user-reset-2fa.ts';

/** `benchport user ...` */
export function addUserCommands(program: Command, terminal: Terminal): void {
  const users = group(program, 'user', 'Accounts of people: add, block, list');
  addUserCreate(users, terminal);
  addUserBlock(users, terminal);
  addUserReset2fa(users, terminal);
  addQuota(users, terminal, {
    kind: 'user',
    description: 'Show or set how much what a user uploads may take',
    argument: ['<name>', 'user name'],
    find: requireUser,
  });
  addUserList(users, terminal);
}
