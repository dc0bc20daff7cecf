const minPauseMs = 5000;
const maxPauseMs = 10 * 60_000;
const maxRetryAfterMs = 24 * 3600_000;

/**
 * How long to wait before the next try: twice as long each time, from five seconds to ten minutes, a quarter more or less so that many do not come
 * back at once; longer where the server asks for it, a day at most.
 *
 * @param failures in a row without a new byte, this one included.
 * @param retryAfterMs milliseconds of the server's Retry-After.
 * @param random from 0 to 1.
 */
export function backOff(failures: number, retryAfterMs: number | null, random: number): number {
  const exponential = Math.min(maxPauseMs, minPauseMs * 2 ** Math.min(failures - 1, 20));
  const spread = Math.min(maxPauseMs, Math.max(minPauseMs, exponential * (0.75 + random * 0.5)));
  // Not before the server wants it, and not all in that very moment.
  return Math.round(
    retryAfterMs === null ? spread : Math.max(spread, Math.min(maxRetryAfterMs, retryAfterMs + random * 1000)),
  );
}
