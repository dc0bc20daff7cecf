import type { Command } from 'commander';
import { auditOf } from '../../service/measurements/removed/removed-shape.ts';
import { restoreRemoved } from '../../service/measurements/removed/restore-removed.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { dataCommand, wholeNumber, type CommonOptions } from '../support/command.ts';
import { printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';
import { maxNumber, requireRemoved } from './require-removed.ts';

interface Options extends CommonOptions {
  readonly number?: number;
}

/** `benchport measurement restore ID` */
export function addMeasurementRestore(measurements: Command, terminal: Terminal): void {
  dataCommand(measurements, 'restore', 'Restore a removed measurement with its readers')
    .argument('<id>', 'id that it had')
    .option('--number <number>', 'which, if several with this id were removed', wholeNumber(1, maxNumber))
    .action(async (id: string, options: Options) => {
      await withServices(terminal, { ...options, library: true }, async (services) => {
        const row = await requireRemoved(services, id, options.number);
        await restoreRemoved(services, row);
        await services.audit.record({ ...atTheMachine, ...auditOf(row), action: 'measurement.restore' });
        if (options.json) printJson(terminal, { id, restored: true });
        else printLine(terminal, `Restored ${id}.`);
      });
    });
}
