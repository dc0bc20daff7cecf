import type { Command } from 'commander';
import path from 'node:path';
import { moveData } from '../../service/backup/move-data.ts';
import { lockDataDirectory } from '../../service/database/lock.ts';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { dataDirectory } from '../support/data-directory.ts';
import { diskFailure } from './disk-failure.ts';
import { byteBar } from '../support/progress-bar.ts';
import { refuseFacility } from '../support/refuse-facility.ts';
import { requireData } from '../support/require-data.ts';
import { printJson, printLine, type Terminal } from '../support/terminal.ts';
import { untilInterrupted } from '../support/until-interrupted.ts';

/**
 * `benchport move DIR`: copies the data directory, compares the copy, and redirects to it from then
 * on.
 */
export function addMove(program: Command, terminal: Terminal): void {
  dataCommand(program, 'move', 'Move the data directory while no service runs; the old one is kept until you delete it')
    .argument('<dir>', 'empty folder, or one that does not exist yet')
    .addHelpText(
      'after',
      examples('benchport move /mnt/large/benchport', 'benchport move /srv/benchport --data /var/lib/benchport'),
    )
    .action(async (name: string, options: CommonOptions) => {
      refuseFacility(terminal, 'Use "benchport database migrate-to" for another database.');
      const from = dataDirectory(options.data, terminal.environment);
      const to = path.resolve(name);
      requireData(from);
      const bar = byteBar(terminal);
      const unlock = lockDataDirectory(from);
      try {
        await untilInterrupted('The move was stopped; the data is where it was.', (signal) =>
          moveData({ from, to, report: bar.update, signal }),
        )
          .catch(diskFailure('The data cannot be moved'))
          .finally(bar.clear);
      } finally {
        unlock();
      }
      if (options.json) printJson(terminal, { from, to });
      else
        printLine(
          terminal,
          `${to}  is used from now on, also where ${from} is named. Delete ${from} when you no longer need it.`,
        );
    });
}
