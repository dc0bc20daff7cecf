import type { Command } from 'commander';
import path from 'node:path';
import { restoreBackup } from '../../service/backup/restore-backup.ts';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { dataDirectory } from '../support/data-directory.ts';
import { diskFailure } from './disk-failure.ts';
import { byteBar } from '../support/progress-bar.ts';
import { refuseFacility } from '../support/refuse-facility.ts';
import { printJson, printLine, type Terminal } from '../support/terminal.ts';
import { untilInterrupted } from '../support/until-interrupted.ts';

/**
 * `benchport restore FILE`: creates a data directory from a backup; existing data is never
 * overwritten.
 */
export function addRestore(program: Command, terminal: Terminal): void {
  dataCommand(program, 'restore', 'Restore a data directory from a backup; the directory must be empty or not exist')
    .argument('<file>', 'file that `benchport backup` wrote')
    .addHelpText(
      'after',
      examples('benchport restore /srv/backups/benchport-2026-11-20.zip --data /srv/benchport-again'),
    )
    .action(async (name: string, options: CommonOptions) => {
      refuseFacility(terminal, 'Restore the database with its own means, and then the folder of the library.');
      const dataDir = dataDirectory(options.data, terminal.environment);
      const bar = byteBar(terminal);
      const about = await untilInterrupted('Restoring was stopped; nothing was kept.', (signal) =>
        restoreBackup({ file: path.resolve(name), dataDir, report: bar.update, signal }),
      )
        .catch(diskFailure('The data directory cannot be created'))
        .finally(bar.clear);
      if (options.json) printJson(terminal, { data: dataDir, ...about });
      else printLine(terminal, `${dataDir}  as of ${about.made_at}, measurements: ${about.measurements}`);
    });
}
