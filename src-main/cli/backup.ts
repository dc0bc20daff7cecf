import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { newWorkFolder, writeBackup } from '../service/backup/write-backup.ts';
import { programVersion } from '../service/program-files.ts';
import { diskFailure } from './disk-failure.ts';
import { formatBytes } from '../service/format-bytes.ts';
import { dataCommand, examples, type CommonOptions } from './command.ts';
import { ownDataDirectory } from './own-data-directory.ts';
import { byteBar } from './progress-bar.ts';
import { CommandError, note, printJson, printLine, type Terminal } from './terminal.ts';
import { untilInterrupted } from './until-interrupted.ts';

/** `benchport backup FILE`: everything of the data directory in one file, also while a service runs on it. */
export function addBackup(program: Command, terminal: Terminal): void {
  dataCommand(program, 'backup', 'Write the data directory into one file; a service may be running. The file holds secrets: keep it like a password')
    .argument('<file>', 'new file, usually ending in .zip')
    .addHelpText('after', examples('benchport backup /srv/backups/benchport-$(date +%F).zip'))
    .action(async (name: string, options: CommonOptions) => {
      const dataDir = ownDataDirectory(options.data, terminal.environment);
      const file = path.resolve(name);
      if (!existsSync(path.join(dataDir, 'benchport.db'))) throw new CommandError(`There is no Benchport data in ${dataDir}. Name the directory with --data.`);
      if (existsSync(file)) throw new CommandError(`${file} is there already. Name another file.`);
      if (!existsSync(path.dirname(file))) throw new CommandError(`There is no folder ${path.dirname(file)}. Make it first.`);
      const bar = byteBar(terminal);
      const result = await untilInterrupted('The backup was stopped; nothing was kept.', (signal) =>
        writeBackup({ dataDir, file, work: newWorkFolder(file), programVersion: programVersion(terminal.programDir), report: bar.update, signal }),
      )
        .catch(diskFailure('The backup cannot be written'))
        .finally(bar.clear);
      if (options.json) printJson(terminal, { file, ...result });
      else printLine(terminal, `${file}  ${formatBytes(result.bytes)}, ${result.measurements} measurements, ${result.objects} files of the library`);
      for (const left of result.leftOut) note(terminal, `not in the backup, because the library no longer holds what was registered: ${left}`);
      if (result.leftOut.length > 0) throw new CommandError('The backup is not whole. Run `benchport doctor` to see what is damaged.');
    });
}
