import type { Command } from 'commander';
import { group } from '../support/command.ts';
import type { Terminal } from '../support/terminal.ts';
import { addLibraryCheck } from './library-check.ts';
import { addLibraryMove } from './library-move.ts';
import { addLibraryRebuild } from './library-rebuild.ts';

/** `benchport library ...`: what was copied into the library or the object storage. */
export function addLibraryCommands(program: Command, terminal: Terminal): void {
  const library = group(program, 'library', 'What was copied into the library or the object storage');
  addLibraryCheck(library, terminal);
  addLibraryMove(library, terminal);
  addLibraryRebuild(library, terminal);
}
