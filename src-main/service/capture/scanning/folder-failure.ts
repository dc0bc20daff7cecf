import { errorCode } from '../../common/error-code.ts';
import { failureText } from '../../files/register-failures.ts';
import { RemoteError } from '../../workers/worker-errors.ts';
import { FolderHung } from './scan-threads.ts';

/**
 * Why a watched folder cannot be read; null for failures that say nothing about it, such as those of
 * the database.
 */
export function folderFailure(error: unknown): string | null {
  if (error instanceof FolderHung) return error.message;
  return error instanceof RemoteError && errorCode(error) !== '' ? `It cannot be read: ${failureText(error)}.` : null;
}
