import type { Command } from 'commander';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { noteBackup } from '../../service/backup/backup-notes.ts';
import { datedBackup, keepNewest } from '../../service/backup/kept-backups.ts';
import { newWorkFolder, writeBackup, type BackupResult } from '../../service/backup/write-backup.ts';
import { refuseMoved } from '../../service/database/moving/data-mark.ts';
import { isUpToDate } from '../../service/database/open.ts';
import { programVersion } from '../../service/process/program-files.ts';
import { diskFailure } from './disk-failure.ts';
import { formatBytes } from '../../service/common/format-bytes.ts';
import { dataCommand, examples, wholeNumber, type CommonOptions } from '../support/command.ts';
import { dataDirectory } from '../support/data-directory.ts';
import { byteBar } from '../support/progress-bar.ts';
import { refuseFacility } from '../support/refuse-facility.ts';
import { requireData } from '../support/require-data.ts';
import { CommandError, note, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { untilInterrupted } from '../support/until-interrupted.ts';
import { withServices } from '../support/with-services.ts';

interface Options extends CommonOptions {
  readonly into?: string;
  readonly keep?: number;
}

/**
 * `benchport backup FILE`: writes the whole data directory into one file, also while a service uses
 * it.
 */
export function addBackup(program: Command, terminal: Terminal): void {
  dataCommand(
    program,
    'backup',
    'Write the data directory into one file; a service may be running. The file holds secrets: keep it like a password',
  )
    .argument('[file]', 'new file, usually ending in .zip')
    .option('--into <folder>', 'instead of a file: a folder, where the backup is named by the time in UTC')
    .option(
      '--keep <number>',
      'with --into: keep this many backups made this way and remove the older ones',
      wholeNumber(1, 365),
    )
    .addHelpText(
      'after',
      examples(
        'benchport backup /srv/backups/benchport-$(date +%F).zip',
        'benchport backup --into /srv/backups --keep 14',
      ),
    )
    .action(async (name: string | undefined, options: Options) => {
      refuseFacility(terminal, 'Back up the database with its own means, and then the folder of the library.');
      const dataDir = dataDirectory(options.data, terminal.environment);
      const file = fileOf(name, options);
      requireData(dataDir);
      refuseMoved(dataDir);
      if (existsSync(file)) throw new CommandError(`${file} already exists. Name another file.`);
      if (!existsSync(path.dirname(file)))
        throw new CommandError(`There is no folder ${path.dirname(file)}. Create it first.`);
      const bar = byteBar(terminal);
      const { leftOut, ...counts } = await untilInterrupted('The backup was stopped; nothing was kept.', (signal) =>
        writeBackup({
          dataDir,
          file,
          work: newWorkFolder(file),
          programVersion: programVersion(terminal.programDir),
          report: bar.update,
          signal,
        }),
      )
        .catch(diskFailure('The backup cannot be written'))
        .finally(bar.clear);
      const removed = await remember(terminal, dataDir, file, { leftOut, ...counts }, options);
      if (options.json)
        printJson(terminal, { file, ...counts, left_out: leftOut, ...(options.into === undefined ? {} : { removed }) });
      else
        printLine(
          terminal,
          `${file}  ${formatBytes(counts.bytes)}, measurements: ${counts.measurements}, files of the library: ${counts.objects}`,
        );
      for (const left of leftOut)
        note(terminal, `not in the backup, because the library no longer has what was registered: ${left}`);
      if (leftOut.length > 0)
        throw new CommandError('The backup is not complete. Run `benchport doctor` to see what is damaged.');
    });
}

/** @throws CommandError (bad usage) unless exactly one of file and folder is given. */
function fileOf(name: string | undefined, { into, keep }: Options): string {
  if ((name === undefined) === (into === undefined))
    throw new CommandError('Name either a new file, or a folder with --into.', 2);
  if (keep !== undefined && into === undefined)
    throw new CommandError('--keep is for backups in a folder, named with --into.', 2);
  return name === undefined ? datedBackup(path.resolve(into ?? ''), Date.now()) : path.resolve(name);
}

/**
 * Records the backup for the screens and the metrics.
 * @returns the older backups that were removed.
 */
async function remember(
  terminal: Terminal,
  dataDir: string,
  file: string,
  result: BackupResult,
  { into, keep }: Options,
): Promise<readonly string[]> {
  // A database of another version is not migrated just for this, and a database that cannot be
  // written was still backed up.
  if (!isUpToDate(dataDir)) return [];
  try {
    return await withServices(terminal, { data: dataDir }, async ({ settings }) => {
      await noteBackup(settings, {
        made_at: new Date().toISOString(),
        file,
        bytes: result.bytes,
        measurements: result.measurements,
        left_out: result.leftOut.length,
      });
      return into === undefined ? [] : keepNewest(settings, file, keep ?? Number.POSITIVE_INFINITY);
    });
  } catch (error) {
    note(
      terminal,
      `the backup was made, but could not be recorded: ${error instanceof Error ? error.message : String(error)}`,
    );
    return [];
  }
}
