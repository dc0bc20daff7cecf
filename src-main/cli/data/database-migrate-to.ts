import type { Command } from 'commander';
import { dataCommand, examples, type CommonOptions } from '../support/command.ts';
import { CommandError, type Terminal } from '../support/terminal.ts';
import { movePlaces } from './move-places.ts';

interface Options extends CommonOptions {
  readonly dryRun?: true;
  readonly abandon?: true;
}

/** `benchport database migrate-to TARGET`: moves all state between SQLite and PostgreSQL. */
export function addMigrateTo(database: Command, terminal: Terminal): void {
  dataCommand(
    database,
    'migrate-to',
    'Move all state from the data directory into a PostgreSQL, or from the PostgreSQL that BENCHPORT_DATABASE_URL names into a new data directory; no service may be running',
  )
    .argument('<target>', 'postgres://USER@HOST/DATABASE (the password in PGPASSWORD), or sqlite:DIR')
    .option('--dry-run', 'only say what would be moved, and what cannot be')
    .option('--abandon', 'give up a move that was interrupted, or use the source again after one')
    .addHelpText(
      'after',
      examples(
        'benchport database migrate-to postgres://benchport@db.example.org/benchport --dry-run',
        'benchport database migrate-to postgres://benchport@db.example.org/benchport --data /var/lib/benchport',
        'benchport database migrate-to sqlite:/srv/benchport',
      ),
    )
    .action(async (target: string, options: Options) => {
      if (options.dryRun && options.abandon) throw new CommandError('Name either --dry-run or --abandon.', 2);
      const places = movePlaces(target, options, terminal.environment);
      // Other commands start without loading what only this one needs.
      const { abandon, move, rehearse } = await import('./database-move.ts');
      if (options.abandon) await abandon(terminal, places, options);
      else if (options.dryRun) await rehearse(terminal, places, options);
      else await move(terminal, places, options);
    });
}
