import type { Command } from 'commander';
import { group } from '../support/command.ts';
import type { Terminal } from '../support/terminal.ts';
import { addCaptureAct } from './capture-act.ts';
import { addCaptureAdd } from './capture-add.ts';
import { addCaptureList } from './capture-list.ts';
import { addCapturePause } from './capture-pause.ts';
import { addCaptureRemove } from './capture-remove.ts';
import { addCaptureRuns } from './capture-runs.ts';
import { addCaptureTry } from './capture-try.ts';

/** `benchport capture ...` */
export function addCaptureCommands(program: Command, terminal: Terminal): void {
  const captures = group(program, 'capture', 'Watched folders, whose runs become measurements when they are complete');
  addCaptureAdd(captures, terminal);
  addCaptureList(captures, terminal);
  addCaptureTry(captures, terminal);
  addCapturePause(captures, terminal);
  addCaptureRemove(captures, terminal);
  addCaptureRuns(captures, terminal);
  addCaptureAct(captures, terminal);
}
