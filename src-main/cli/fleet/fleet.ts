import type { Command } from 'commander';
import { group } from '../support/command.ts';
import type { Terminal } from '../support/terminal.ts';
import { addFleetList } from './fleet-list.ts';
import { addFleetRemove } from './fleet-remove.ts';
import { addFleetShow } from './fleet-show.ts';

/** `benchport fleet ...` */
export function addFleetCommands(program: Command, terminal: Terminal): void {
  const fleet = group(program, 'fleet', 'Benches that report to this server');
  addFleetList(fleet, terminal);
  addFleetShow(fleet, terminal);
  addFleetRemove(fleet, terminal);
}
