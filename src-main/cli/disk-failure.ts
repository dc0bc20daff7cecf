import { CommandError } from './terminal.ts';

/** Says of an error of the file system what could not be done; other errors pass. */
export function diskFailure(what: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Error && 'syscall' in error) throw new CommandError(`${what}: ${error.message}.`);
    throw error;
  };
}
