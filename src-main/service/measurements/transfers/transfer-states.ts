import type { Transitions } from '../../../../src-shared/states/transitions.ts';
import type { TransferOutcome } from '../../transfers/transfer-rows.ts';

/** A transfer is `closing` from when the server closes its connection until its sender has let go. */
export type TransferStage = 'running' | 'closing' | 'over';
type TransferEvent = 'cut' | 'end';

/** The next state of a transfer; the row of one that a kill interrupted ends at the next start. */
export const transferTransitions: Transitions<TransferStage, TransferEvent> = {
  running: { cut: 'closing', end: 'over' },
  // The first reason counts.
  closing: { cut: 'ignored', end: 'over' },
  // The sender and the check of access may both notice the end.
  over: { cut: 'ignored', end: 'ignored' },
};

/**
 * The outcome that is recorded.
 *
 * @param seen by the sender.
 * @param reason why the server closed the connection; null when it did not.
 * @param isStopping whether the service stops.
 */
export function outcomeOf(seen: TransferOutcome, reason: TransferOutcome | null, isStopping: boolean): TransferOutcome {
  // All bytes were sent before the connection was closed.
  if (seen === 'complete') return seen;
  return reason ?? (seen === 'client-closed' && isStopping ? 'stopped' : seen);
}
