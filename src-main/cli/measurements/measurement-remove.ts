import type { Command } from 'commander';
import { countOf } from '../../service/common/count-of.ts';
import { removeMeasurement } from '../../service/measurements/registration/remove.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { dataCommand, type CommonOptions } from '../support/command.ts';
import { requireMeasurement } from './require-measurement.ts';
import { printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

/** `benchport measurement remove ID` */
export function addMeasurementRemove(measurements: Command, terminal: Terminal): void {
  dataCommand(
    measurements,
    'remove',
    'Remove a measurement; referenced files are left alone, copies in the library are deleted',
  )
    .argument('<id>', 'id of the measurement')
    .action(async (id: string, options: CommonOptions) => {
      await withServices(terminal, { ...options, library: true }, async (services) => {
        const row = await requireMeasurement(services, id);
        // Audited first, so that nothing is removed without a record.
        await services.audit.record({
          ...atTheMachine,
          action: 'measurement.remove',
          subject: `measurement:${id}`,
          detail: countOf(row.file_count, 'file'),
        });
        await removeMeasurement(services, id);
        if (options.json) printJson(terminal, { id, removed: true });
        else
          printLine(
            terminal,
            row.storage === 'library'
              ? `Removed ${id} and its copies.`
              : `Removed ${id}; its files in ${row.root} are as they were.`,
          );
      });
    });
}
