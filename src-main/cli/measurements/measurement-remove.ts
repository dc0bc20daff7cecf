import type { Command } from 'commander';
import { countOf } from '../../service/common/count-of.ts';
import { keepRemoved } from '../../service/measurements/removed/keep-removed.ts';
import { purgeRemoved } from '../../service/measurements/removed/purge-removed.ts';
import { auditOf, removedShape } from '../../service/measurements/removed/removed-shape.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import type { Services } from '../../service/services.ts';
import { dataCommand, wholeNumber, type CommonOptions } from '../support/command.ts';
import { formatTime } from '../support/format.ts';
import { requireMeasurement } from './require-measurement.ts';
import { maxNumber, requireRemoved } from './require-removed.ts';
import { CommandError, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

interface Options extends CommonOptions {
  readonly forGood?: boolean;
  readonly number?: number;
}

/** `benchport measurement remove ID` */
export function addMeasurementRemove(measurements: Command, terminal: Terminal): void {
  dataCommand(
    measurements,
    'remove',
    'Remove a measurement; for seven days it can be restored, and files outside the library are left alone',
  )
    .argument('<id>', 'id of the measurement')
    .option('--for-good', 'of one that was removed: do not wait until its seven days are over')
    .option('--number <number>', 'which, if several with this id were removed', wholeNumber(1, maxNumber))
    .action(async (id: string, options: Options) => {
      await withServices(terminal, { ...options, library: true }, async (services) =>
        options.forGood === true
          ? removeForGood(terminal, services, id, options)
          : remove(terminal, services, id, options),
      );
    });
}

async function remove(terminal: Terminal, services: Services, id: string, options: Options): Promise<void> {
  if (options.number !== undefined) throw new CommandError('Name a number only with --for-good.');
  const row = await requireMeasurement(services, id);
  // Audited first, so that nothing is removed without a record.
  await services.audit.record({
    ...atTheMachine,
    action: 'measurement.remove',
    subject: `measurement:${id}`,
    detail: countOf(row.file_count, 'file'),
  });
  const kept = await keepRemoved(services, id, null);
  if (options.json) {
    const until = kept === null ? {} : { restorable_until: removedShape(kept).restorable_until };
    return printJson(terminal, { id, removed: true, ...until });
  }
  const files = row.storage === 'library' ? '' : `; its files in ${row.root} are as they were`;
  const until =
    kept === null ? '' : ` Until ${formatTime(kept.expires_at)} "benchport measurement restore ${id}" undoes it.`;
  printLine(terminal, `Removed ${id}${files}.${until}`);
}

async function removeForGood(terminal: Terminal, services: Services, id: string, options: Options): Promise<void> {
  const row = await requireRemoved(services, id, options.number);
  await services.audit.record({ ...atTheMachine, ...auditOf(row), action: 'measurement.purge' });
  await purgeRemoved(services, row);
  if (options.json) printJson(terminal, { id, removed: true, for_good: true });
  else
    printLine(
      terminal,
      row.storage === 'library'
        ? `Removed ${id} and its copies for good.`
        : `Removed ${id} for good; its files are as they were.`,
    );
}
