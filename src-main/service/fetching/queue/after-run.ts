import type { FetchOutcome } from '../engine/types.ts';
import type { FetchRow, FetchUpdate } from '../store/fetch-row.ts';

/** Where a fetch stands in the queue again, with nothing to be said about it. */
export const queuedAgain: FetchUpdate = { state: 'queued', reason: null, message: null, retryAt: null };

/** How a verification that did not come to its end leaves what had ended before. */
function unverified(row: Pick<FetchRow, 'files_done' | 'files_total'>): FetchUpdate {
  return { state: row.files_done === row.files_total ? 'done' : 'failed' };
}

/**
 * What becomes of a verification.
 *
 * @param row as it is after the run.
 */
export function afterVerifying(row: FetchRow, outcome: FetchOutcome, now: number): FetchUpdate {
  if (outcome.kind === 'stopped') return unverified(row);
  if (outcome.kind === 'retry' || outcome.kind === 'ask') {
    // Nothing was found to be wrong: the list that an unpacked archive is compared with could not be read, for example.
    const as = unverified(row);
    return as.state === 'done'
      ? { ...as, reason: outcome.reason, message: `It could not be verified. ${outcome.message}` }
      : as;
  }
  if (outcome.kind !== 'done') return { state: 'failed', reason: outcome.reason, message: outcome.message };
  // Right again, for example because the disk was away: but what was never fetched is still not there.
  return row.files_done === row.files_total
    ? { state: 'done', reason: null, message: null, verifiedAt: now }
    : { state: 'failed' };
}

/**
 * What becomes of a fetch.
 *
 * @param stopAs what it was stopped for; null when nobody has stopped it.
 * @param wait milliseconds until the next try, for an outcome that may go better later.
 */
export function afterFetching(
  outcome: FetchOutcome,
  stopAs: FetchUpdate | null,
  now: number,
  wait: number,
): FetchUpdate {
  // What came to its end cannot be paused or cancelled any more.
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
