const minPauseMs = 5000;
const maxPauseMs = 10 * 60_000;
const maxRetryAfterMs = 24 * 3600_000;

/**
 * The delay before the next attempt: doubles from five seconds to ten minutes, with 25 % jitter so
 * that clients do not return together. Longer if the server sets Retry-After, at most a day.
 *
 * @param failures consecutive failures without a new byte, including this one.
 * @param retryAfterMs milliseconds of the server's Retry-After.
 * @param random from 0 to 1.
 */
export function backOff(failures: number, retryAfterMs: number | null, random: number): number {
  const exponential = Math.min(maxPauseMs, minPauseMs * 2 ** Math.min(failures - 1, 20));
  const spread = Math.min(maxPauseMs, Math.max(minPauseMs, exponential * (0.75 + random * 0.5)));
  // Never before the server's time, and spread over a second.
  return Math.round(
    retryAfterMs === null ? spread : Math.max(spread, Math.min(maxRetryAfterMs, retryAfterMs + random * 1000)),
  );
}
