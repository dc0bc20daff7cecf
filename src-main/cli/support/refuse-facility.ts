import { variable } from './environment.ts';
import { CommandError, type Terminal } from './terminal.ts';

/**
 * For commands on files of a data directory, which a facility does not have.
 *
 * @throws CommandError that says what to use instead.
 */
export function refuseFacility(terminal: Terminal, instead: string): void {
  const { environment } = terminal;
  if (
    variable(environment, 'BENCHPORT_DATABASE_URL') === null &&
    variable(environment, 'BENCHPORT_DATABASE_URL_FILE') === null
  )
    return;
  throw new CommandError(`BENCHPORT_DATABASE_URL is set, and this command is for a data directory. ${instead}`);
}
