import type { Command } from 'commander';
import { dataCommand, type CommonOptions } from './command.ts';
import { findSubject, requireOneSubject, subjectOptions, type SubjectOptions } from './grant-subject.ts';
import { requireMeasurement } from './require-measurement.ts';
import { CommandError, printJson, printLine, type Terminal } from './terminal.ts';
import { withServices } from './with-services.ts';

/** `benchport measurement revoke ID` */
export function addMeasurementRevoke(measurements: Command, terminal: Terminal): void {
  subjectOptions(dataCommand(measurements, 'revoke', 'Take a grant back; running transfers by it end'))
    .argument('<id>', 'id of the measurement')
    .action(async (id: string, options: CommonOptions & SubjectOptions) => {
      requireOneSubject(options);
      await withServices(terminal, options, async (services) => {
        await requireMeasurement(services, id);
        const { subject, text } = await findSubject(services, options);
        if (!(await services.grants.revokeSubject(id, subject))) throw new CommandError(`There is no such grant: ${text} had none of their own on ${id}.`);
        services.changes.bump();
        await services.audit.record({ userId: null, action: 'measurement.revoke', subject: `measurement:${id}`, detail: text });
        if (options.json) printJson(terminal, { measurement_id: id, revoked: true });
        else printLine(terminal, `Took back the grant on ${id}: ${text}.`);
      });
    });
}
