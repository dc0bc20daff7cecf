import { InvalidArgumentError, type Command } from 'commander';
import { isoTime } from '../../service/common/iso-time.ts';
import { grantAccess, grantSubject } from '../../service/measurements/access/grant-access.ts';
import { parseMoment } from '../../service/common/parse-time.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { formatTime } from '../support/format.ts';
import { requireOneSubject, subjectOptions, subjectText, type SubjectOptions } from './grant-subject.ts';
import { requireMeasurement } from './require-measurement.ts';
import { CommandError, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

interface Options extends CommonOptions, SubjectOptions {
  readonly until?: number;
}

/** `benchport measurement grant ID` */
export function addMeasurementGrant(measurements: Command, terminal: Terminal): void {
  subjectOptions(dataCommand(measurements, 'grant', 'Let others read a measurement'))
    .argument('<id>', 'id of the measurement')
    .option(
      '--until <date>',
      'YYYY-MM-DD, ends as that day begins, UTC; or a full time such as 2026-03-03T18:00:00Z',
      endOf,
    )
    .addHelpText(
      'after',
      examples(
        'benchport measurement grant qmr-114 --user bob',
        'benchport measurement grant qmr-114 --project lab/qmr --until 2099-01-01',
      ),
    )
    .action(async (id: string, options: Options) => {
      requireOneSubject(options);
      const { until = null } = options;
      if (until !== null && until <= Date.now())
        throw new CommandError(`A grant until ${isoTime(until)} would never take effect. Give a later date.`);
      await withServices(terminal, options, async (services) => {
        await requireMeasurement(services, id);
        const text = subjectText(options);
        const grant = await grantAccess(services, id, await grantSubject(services, options, null), until, atTheMachine);
        if (options.json) printJson(terminal, { id: grant.id, measurement_id: id, until: isoTime(grant.until) });
        else
          printLine(
            terminal,
            `Granted access to ${id}: ${text}${until === null ? '' : `, until ${formatTime(until)}`}.`,
          );
      });
    });
}

function endOf(text: string): number {
  try {
    return parseMoment(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : 'It is not a date.');
  }
}
