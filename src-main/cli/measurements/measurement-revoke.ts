import type { Command } from 'commander';
import { grantSubject, revokeAccess } from '../../service/measurements/access/grant-access.ts';
import type { GrantSubject, GrantWithNames } from '../../service/measurements/store/grants-store.ts';
import { atTheMachine } from '../../service/http/principal.ts';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { requireOneSubject, subjectOptions, subjectText, type SubjectOptions } from './grant-subject.ts';
import { requireMeasurement } from './require-measurement.ts';
import { CommandError, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { withServices } from '../support/with-services.ts';

/** `benchport measurement revoke ID` */
export function addMeasurementRevoke(measurements: Command, terminal: Terminal): void {
  subjectOptions(dataCommand(measurements, 'revoke', 'Revoke a grant; running transfers that depend on it end'))
    .argument('<id>', 'id of the measurement')
    .addHelpText('after', examples('benchport measurement revoke qmr-114 --user bob'))
    .action(async (id: string, options: CommonOptions & SubjectOptions) => {
      requireOneSubject(options);
      await withServices(terminal, options, async (services) => {
        await requireMeasurement(services, id);
        const subject = await grantSubject(services, options, null);
        const text = subjectText(options);
        const grant = (await services.grants.ofMeasurement(id)).find((one) => isFor(one, subject));
        if (!grant || !(await revokeAccess(services, id, grant.id, atTheMachine))) {
          throw new CommandError(`There is no such grant: ${text} had no grant of their own on ${id}.`);
        }
        if (options.json) printJson(terminal, { measurement_id: id, revoked: true });
        else printLine(terminal, `Revoked the grant on ${id}: ${text}.`);
      });
    });
}

function isFor(grant: GrantWithNames, subject: GrantSubject): boolean {
  if ('userId' in subject) return grant.user_id === subject.userId;
  return 'projectId' in subject ? grant.project_id === subject.projectId : grant.everyone === 1;
}
