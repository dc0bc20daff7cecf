import type { FetchEvent } from '../../../../src-shared/states/fetch-states.ts';
import type { FetchReason } from '../../contract/fetches.ts';
import type { FetchOutcome } from '../engine/types.ts';
import type { FetchRow, FetchUpdate } from '../store/fetch-row.ts';

/** An event, and what else is stored with it. */
export interface FetchChange {
  readonly event: FetchEvent;
  readonly update: FetchUpdate;
}

/** Clears what kept a fetch from going on. */
export const untroubled: FetchUpdate = { reason: null, message: null, retryAt: null };

/** The stored result of a verification that could not run: no fault was found. */
export function unverifiable(
  row: Pick<FetchRow, 'files_done' | 'files_total'>,
  reason: FetchReason,
  message: string,
): FetchUpdate {
  return row.files_done === row.files_total ? { reason, message: `It could not be verified. ${message}` } : {};
}

/**
 * The state of a fetch after a verification.
 *
 * @param row as stored after the run.
 */
export function afterVerifying(row: FetchRow, outcome: FetchOutcome, now: number): FetchChange {
  switch (outcome.kind) {
    case 'stopped':
      return { event: 'stop', update: {} };
    // For example, the manifest of an unpacked archive could not be read.
    case 'retry':
    case 'ask':
      return {
        event: outcome.kind === 'retry' ? 'wait' : 'ask',
        update: unverifiable(row, outcome.reason, outcome.message),
      };
    case 'failed':
      return { event: 'fail', update: { reason: outcome.reason, message: outcome.message } };
    case 'done':
      // All files are correct again, for example after a disk was reconnected, or those that were
      // never fetched are still missing.
      return {
        event: 'finish',
        update: row.files_done === row.files_total ? { reason: null, message: null, verifiedAt: now } : {},
      };
  }
}

/**
 * The state of a fetch after a run.
 *
 * @param stopAs why it was stopped; null if it was not.
 * @param wait milliseconds until the next attempt, for an outcome that allows a retry.
 */
export function afterFetching(
  outcome: FetchOutcome,
  stopAs: FetchChange | null,
  now: number,
  wait: number,
): FetchChange {
  // A fetch that completed can no longer be paused or cancelled.
  if (outcome.kind === 'done') return { event: 'finish', update: { ...untroubled, attempts: 0, verifiedAt: now } };
  if (stopAs) return stopAs;
  if (outcome.kind === 'stopped') return { event: 'stop', update: untroubled };
  const { reason, message } = outcome;
  switch (outcome.kind) {
    case 'retry':
      return { event: 'wait', update: { reason, message, retryAt: now + wait } };
    case 'ask':
      return { event: 'ask', update: { reason, message, retryAt: null } };
    case 'failed':
      return { event: 'fail', update: { reason, message, retryAt: null } };
  }
}
