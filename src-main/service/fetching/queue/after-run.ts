import type { FetchOutcome } from '../engine/types.ts';
import type { FetchRow, FetchUpdate } from '../store/fetch-row.ts';

/** Puts a fetch back into the queue and clears its message. */
export const queuedAgain: FetchUpdate = { state: 'queued', reason: null, message: null, retryAt: null };

/** The state of a fetch after an incomplete verification: as it ended before. */
function unverified(row: Pick<FetchRow, 'files_done' | 'files_total'>): FetchUpdate {
  return { state: row.files_done === row.files_total ? 'done' : 'failed' };
}

/**
 * The update after a verification.
 *
 * @param row as stored after the run.
 */
export function afterVerifying(row: FetchRow, outcome: FetchOutcome, now: number): FetchUpdate {
  if (outcome.kind === 'stopped') return unverified(row);
  if (outcome.kind === 'retry' || outcome.kind === 'ask') {
    // The verification could not run, for example because the manifest of an unpacked archive could
    // not be read; nothing was found wrong.
    const as = unverified(row);
    return as.state === 'done'
      ? { ...as, reason: outcome.reason, message: `It could not be verified. ${outcome.message}` }
      : as;
  }
  if (outcome.kind !== 'done') return { state: 'failed', reason: outcome.reason, message: outcome.message };
  // All files are correct again, for example after a disk was reconnected. Files that were never
  // fetched are still missing.
  return row.files_done === row.files_total
    ? { state: 'done', reason: null, message: null, verifiedAt: now }
    : { state: 'failed' };
}

/**
 * The update after a fetch.
 *
 * @param stopAs the update it was stopped with; null if it was not stopped.
 * @param wait milliseconds until the next attempt, for an outcome that allows a retry.
 */
export function afterFetching(
  outcome: FetchOutcome,
  stopAs: FetchUpdate | null,
  now: number,
  wait: number,
): FetchUpdate {
  // A fetch that completed can no longer be paused or cancelled.
  if (outcome.kind === 'done') {
    return { state: 'done', reason: null, message: null, attempts: 0, retryAt: null, endedAt: now, verifiedAt: now };
  }
  if (stopAs) return stopAs;
  switch (outcome.kind) {
    case 'stopped':
      return queuedAgain;
    case 'retry':
      return { state: 'waiting', reason: outcome.reason, message: outcome.message, retryAt: now + wait };
    case 'ask':
      return { state: 'asking', reason: outcome.reason, message: outcome.message, retryAt: null };
    case 'failed':
      return { state: 'failed', reason: outcome.reason, message: outcome.message, retryAt: null, endedAt: now };
  }
}
