/** A report that is not answered in this time has failed. */
export const reportTimeoutMs = 8000;
/** How often a bench reports when nothing of importance changes. */
const reportEveryMs = 60_000;
const minPauseMs = 5000;
/** So short that a network that was away for three minutes leads to no silence of five. */
const maxPauseMs = 15_000;
/** After ten minutes of failures that does not matter any more. */
const longPauseMs = 30_000;
const shortPauses = 30;
/** A server that does not want reports is asked again after this. */
export const refusedPauseMs = 86_400_000;

/**
 * Milliseconds until the next report: about a minute, so that many benches come one after the other;
 * after failures from five to fifteen seconds, and thirty when they go on.
 *
 * @param failures in a row.
 * @param random from 0 to 1.
 */
export function nextReportMs(failures: number, random: number): number {
  if (failures === 0) return Math.round(reportEveryMs * (0.9 + random * 0.1));
  const exponential =
    failures > shortPauses ? longPauseMs : Math.min(maxPauseMs, minPauseMs * 2 ** Math.min(failures - 1, 10));
  return Math.round(exponential * (0.75 + random * 0.5));
}
