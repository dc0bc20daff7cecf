import { errorCode } from '../../common/error-code.ts';
import { ChangingError } from './hash-file.ts';
import type { FileFailed } from '../../files/hash-messages.ts';
import { failureText, isNoSpace, type FileFailureKind } from '../../files/register-failures.ts';
import { DamagedEntryError } from '../../files/zip-extract.ts';

/** The work was aborted. */
export class AbortedError extends Error {}

/** The library cannot be written to, which concerns all files rather than the current one. */
export class LibraryError extends Error {
  constructor(cause: unknown) {
    super(
      `The library cannot be written to (${errorCode(cause) || String(cause)}). Check the disk of the data directory and its permissions, then resume.`,
      {
        cause,
      },
    );
  }
}

/**
 * Runs an operation on the library and wraps its errors in LibraryError, except a full disk and an
 * abort.
 */
export function asLibraryError<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof AbortedError || isNoSpace(error) ? error : new LibraryError(error);
  }
}

/** Converts an error to the outcome of a file; an abort is thrown again. */
export function outcomeOfFailure(item: { readonly index: number }, error: unknown): FileFailed {
  if (error instanceof AbortedError) throw error;
  return {
    index: item.index,
    failed: kindOf(error),
    reason:
      error instanceof ChangingError || error instanceof DamagedEntryError || error instanceof LibraryError
        ? error.message
        : failureText(error),
  };
}

function kindOf(error: unknown): FileFailureKind {
  if (error instanceof ChangingError) return 'changing';
  if (error instanceof DamagedEntryError) return 'damaged';
  if (error instanceof LibraryError) return 'library';
  if (isNoSpace(error)) return 'no-space';
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable';
}
