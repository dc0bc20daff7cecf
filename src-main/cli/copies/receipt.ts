import type { Command } from 'commander';
import { group } from '../support/command.ts';
import type { Terminal } from '../support/terminal.ts';
import { addReceiptVerify } from './receipt-verify.ts';

/** `benchport receipt ...`: signed proof that a service has a measurement. */
export function addReceiptCommands(program: Command, terminal: Terminal): void {
  addReceiptVerify(group(program, 'receipt', 'Signed proof that a service has a measurement'), terminal);
}
