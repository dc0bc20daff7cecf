import { errorCode } from '../../service/common/error-code.ts';
import { CommandError } from '../support/terminal.ts';

/**
 * Rethrows file system errors and SQLite's "disk full" as a CommandError that starts with `what`;
 * other errors pass unchanged.
 */
export function diskFailure(what: string): (error: unknown) => never {
  return (error) => {
    if (errorCode(error) === 'SQLITE_FULL') throw new CommandError(`${what}: the disk is full.`);
    if (error instanceof Error && 'syscall' in error) throw new CommandError(`${what}: ${error.message}.`);
    throw error;
  };
}
