/** Wall time for what is shown, and monotonic time for what is waited for. */
export interface WatchClock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Monotonic milliseconds. */
  readonly steady: () => number;
}
