import { errorCode } from '../../common/error-code.ts';
import { StartError } from '../../common/start-error.ts';
import { isOutOfSpace, isTimeout, isUnreachable } from './failures.ts';

/** The address of a database as logs and messages may have it. */
export function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return 'of the given address';
  const shown = new URL(url);
  shown.password = '';
  shown.search = '';
  return shown.href;
}

/** Turns a failure of PostgreSQL into a line that says what to do. */
export function explainUnusable(error: unknown, url: string): unknown {
  if (error instanceof StartError) return error;
  const why = error instanceof Error && error.message !== '' ? error.message : errorCode(error);
  const advice = adviceFor(error);
  return new StartError(
    'data-unusable',
    `The database ${withoutPassword(url)} cannot be used: ${why}.${advice === null ? '' : ` ${advice}`}`,
    { cause: error },
  );
}

// PostgreSQL, appendix A, "PostgreSQL Error Codes".
const advices: Readonly<Record<string, string>> = {
  '28P01': 'Check the password in the address.',
  '28000': 'Check the user in the address, and what pg_hba.conf allows.',
  '3D000': "Create it first: CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0.",
  '42501': 'Make this user the owner of the database.',
  '0A000': 'Install the extension pg_trgm, which comes with PostgreSQL (Debian: postgresql-contrib).',
  '58P01': 'Install the extension pg_trgm, which comes with PostgreSQL (Debian: postgresql-contrib).',
  '42P07': 'It has tables of another program. Create a database for Benchport alone.',
  '54000': 'PostgreSQL has a limit that SQLite does not have.',
};

function adviceFor(error: unknown): string | null {
  const known = advices[errorCode(error)];
  if (known !== undefined) return known;
  if (isOutOfSpace(error)) return 'Its disk is full: free some space there.';
  if (isTimeout(error)) return 'Other programs write to it: stop them.';
  return isUnreachable(error) ? 'Check that the server runs and that the address is right.' : null;
}
