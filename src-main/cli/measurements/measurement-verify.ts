import type { Command } from 'commander';
import { copyToRestoreFrom } from '../../service/copies/restoring/restore-files.ts';
import { restoring } from '../../service/copies/restoring/restore-work.ts';
import type { MeasurementRow } from '../../service/measurements/store/measurements-store.ts';
import type { Services } from '../../service/services.ts';
import { newVerification, verifyWork } from '../../service/measurements/verification/verify.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { measurementShape } from './measurement-shape.ts';
import { requireMeasurement } from './require-measurement.ts';
import { runWork } from '../support/run-work.ts';
import { CommandError, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

interface Options extends CommonOptions {
  readonly restore?: true;
}

/**
 * `benchport measurement verify ID`: exit status 1 if a file does not match the registration in the
 * end. Files of the library are restored from a verified copy, those elsewhere with `--restore`.
 */
export function addMeasurementVerify(measurements: Command, terminal: Terminal): void {
  dataCommand(measurements, 'verify', 'Read every file again and compare it with the registration')
    .argument('<id>', 'id of the measurement')
    .option('--restore', 'replace wrong files by those of a verified copy, also outside the library')
    .action(async (id: string, options: Options) => {
      await withServices(terminal, { ...options, library: true }, async (services) => {
        await requireMeasurement(services, id);
        const verification = newVerification(id, null);
        const parameters = { ...verification.parameters, restoreInPlace: options.restore === true };
        const job = await runWork(terminal, services, { ...verification, parameters }, restoring(verifyWork));
        const row = await requireMeasurement(services, id);
        if (options.json) printJson(terminal, measurementShape(row));
        if (row.problem_count > 0) {
          const hint = options.restore === true ? '' : await restoreHint(services, row);
          throw new CommandError(`${id}: ${job.message ?? 'it has changed'}${hint}`);
        }
        if (!options.json) printLine(terminal, `${id}: ${job.message ?? 'all files are unchanged'}`);
      });
    });
}

/** The remedy for wrong files outside the library of which a verified copy exists. */
async function restoreHint(services: Pick<Services, 'copyList'>, row: MeasurementRow): Promise<string> {
  if (row.storage === 'library') return '';
  const copy = await copyToRestoreFrom(services, row.id);
  if (copy === null) return '';
  return `. A verified copy is on ${copy.server_name}: --restore replaces them by its files, and renames what is there`;
}
