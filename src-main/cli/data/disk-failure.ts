import { errorCode } from '../../service/common/error-code.ts';
import { CommandError } from '../support/terminal.ts';

/** Says of an error of the file system, or of a database that finds no room, what could not be done; other errors pass. */
export function diskFailure(what: string): (error: unknown) => never {
  return (error) => {
    if (errorCode(error) === 'SQLITE_FULL') throw new CommandError(`${what}: the disk is full.`);
    if (error instanceof Error && 'syscall' in error) throw new CommandError(`${what}: ${error.message}.`);
    throw error;
  };
}
