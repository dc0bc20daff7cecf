import { ArchiveError } from '../run/archive-error.ts';
import { HttpRequestError } from '../../../http-client/http-request-error.ts';
import { FileFailure, Stopped } from '../run/fetch-context.ts';
import { ManifestError } from '../manifest/read-manifest-slices.ts';
import { TargetError } from '../../../files/target-folder-error.ts';
import type { FetchOutcome } from '../types.ts';

/** Maps the error that ended a run to its outcome. */
export function outcomeOf(error: unknown): FetchOutcome {
  if (error instanceof Stopped) return { kind: 'stopped' };
  if (error instanceof FileFailure || error instanceof ManifestError || error instanceof ArchiveError) {
    return { kind: 'failed', reason: error.reason, message: error.message };
  }
  if (error instanceof TargetError)
    return { kind: error.reason === 'bad-path' ? 'failed' : 'ask', reason: error.reason, message: error.message };
  if (!(error instanceof HttpRequestError)) {
    const message = `Unexpected error: ${error instanceof Error ? error.message : String(error)}`;
    return { kind: 'retry', reason: 'unexpected', message, afterMs: null };
  }
  const { reason, message, retryAfterMs } = error;
  if (reason === 'token-refused' || reason === 'no-access' || reason === 'certificate')
    return { kind: 'ask', reason, message };
  if (reason === 'not-found' || reason === 'redirected' || reason === 'file-changed')
    return { kind: 'failed', reason, message };
  return { kind: 'retry', reason, message, afterMs: retryAfterMs };
}
