import { errorCode } from '../../common/error-code.ts';
import { StartError } from '../../common/start-error.ts';

/** The line for the user when a database cannot be opened; without its password. */
export function explainUnusable(error: unknown, url: string): unknown {
  if (error instanceof StartError) return error;
  const why = error instanceof Error && error.message !== '' ? error.message : errorCode(error);
  return new StartError('data-unusable', `The database ${withoutPassword(url)} cannot be used: ${why}.`, {
    cause: error,
  });
}

/** The address of a database as logs and messages may have it. */
function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return 'of the given address';
  const shown = new URL(url);
  shown.password = '';
  shown.search = '';
  return shown.href;
}
