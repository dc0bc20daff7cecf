import { Option, type Command } from 'commander';
import path from 'node:path';
import type { ExportFormat } from '../../service/contract/jobs.ts';
import { exportWork, newExport } from '../../service/measurements/export/export.ts';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { requireMeasurement } from './require-measurement.ts';
import { runWork } from '../support/run-work.ts';
import { printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

const formats: readonly ExportFormat[] = ['folder', 'zip', 'bagit', 'ro-crate'];

interface Options extends CommonOptions {
  readonly to: string;
  readonly format: ExportFormat;
}

/** `benchport measurement export ID`: prints the path of the result. */
export function addMeasurementExport(measurements: Command, terminal: Terminal): void {
  dataCommand(measurements, 'export', 'Export a measurement, comparing each byte with the registration')
    .argument('<id>', 'id of the measurement')
    .requiredOption('--to <dir>', 'existing folder')
    .addOption(
      new Option('--format <format>', 'the folder as it was registered, a ZIP archive, a BagIt bag or an RO-Crate')
        .choices(formats)
        .default('folder'),
    )
    .addHelpText('after', examples('benchport measurement export qmr-114 --to /media/archive --format bagit'))
    .action(async (id: string, options: Options) => {
      await withServices(terminal, { ...options, library: true }, async (services) => {
        await requireMeasurement(services, id);
        const job = await runWork(
          terminal,
          services,
          await newExport(services, id, null, path.resolve(options.to), options.format),
          exportWork,
        );
        if (options.json) printJson(terminal, { id, format: options.format, path: job.result });
        else printLine(terminal, job.result ?? '');
      });
    });
}
