import type { Command } from 'commander';
import { newVerification, verifyWork } from '../../service/measurements/verification/verify.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { measurementShape } from './measurement-shape.ts';
import { requireMeasurement } from './require-measurement.ts';
import { runWork } from '../support/run-work.ts';
import { CommandError, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

/** `benchport measurement verify ID`: exit status 1 if a file does not match the registration. */
export function addMeasurementVerify(measurements: Command, terminal: Terminal): void {
  dataCommand(measurements, 'verify', 'Read every file again and compare it with the registration')
    .argument('<id>', 'id of the measurement')
    .action(async (id: string, options: CommonOptions) => {
      await withServices(terminal, { ...options, library: true }, async (services) => {
        await requireMeasurement(services, id);
        const job = await runWork(terminal, services, newVerification(id, null), verifyWork);
        const row = await requireMeasurement(services, id);
        if (options.json) printJson(terminal, measurementShape(row));
        if (row.problem_count > 0) throw new CommandError(`${id}: ${job.message ?? 'it has changed'}`);
        if (!options.json) printLine(terminal, `${id}: ${job.message ?? 'all files are unchanged'}`);
      });
    });
}
