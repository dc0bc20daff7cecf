import type { Command } from 'commander';
import { migrateDatabase } from '../../service/database/engines/migrate-database.ts';
import { examples, group } from '../support/command.ts';
import { facilityOf } from '../support/facility.ts';
import { CommandError, printJson, printLine, type Terminal } from '../support/terminal.ts';
import { addMigrateTo } from './database-migrate-to.ts';

/** `benchport database ...`: the PostgreSQL of a facility. */
export function addDatabaseCommands(program: Command, terminal: Terminal): void {
  const database = group(program, 'database', 'The PostgreSQL of a facility, and moving data there and back');
  addMigrate(database, terminal);
  addMigrateTo(database, terminal);
}

function addMigrate(database: Command, terminal: Terminal): void {
  database
    .command('migrate')
    .description('Create or upgrade the tables of the PostgreSQL that BENCHPORT_DATABASE_URL names')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      examples('BENCHPORT_DATABASE_URL_FILE=/etc/benchport/database-url benchport database migrate'),
    )
    .action(async (options: { readonly json?: true }) => {
      const facility = facilityOf(terminal.environment);
      if (facility === null)
        throw new CommandError('Name the PostgreSQL with BENCHPORT_DATABASE_URL or BENCHPORT_DATABASE_URL_FILE.', 2);
      const result = await migrateDatabase(facility.database);
      if (options.json) printJson(terminal, result);
      else printLine(terminal, textOf(result));
    });
}

function textOf({ before, after }: { readonly before: number; readonly after: number }): string {
  if (before === 0) return `The tables were created (version ${after}).`;
  return before === after
    ? `The tables are up to date (version ${after}).`
    : `The tables were upgraded from version ${before} to ${after}.`;
}
