import { ChangingError } from './hash-file.ts';
import type { FileFailed } from './hash-messages.ts';
import { codeOf, failureText, isNoSpace, type FileFailure } from './register-failures.ts';
import { DamagedEntryError } from './zip-extract.ts';

/** The work was told to stop. */
export class AbortedError extends Error {}

/** Turns what happened to one file into its outcome; being told to stop is no outcome and goes on upwards. */
export function outcomeOfFailure(item: { readonly index: number }, error: unknown): FileFailed {
  if (error instanceof AbortedError) throw error;
  return {
    index: item.index,
    failed: kindOf(error),
    reason: error instanceof ChangingError || error instanceof DamagedEntryError ? error.message : failureText(error),
  };
}

function kindOf(error: unknown): FileFailure {
  if (error instanceof ChangingError) return 'changing';
  if (error instanceof DamagedEntryError) return 'damaged';
  if (isNoSpace(error)) return 'no-space';
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable';
}
