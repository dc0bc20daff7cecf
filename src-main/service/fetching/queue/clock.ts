/** The queue's clock: wall time, which may jump, and monotonic time. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Monotonic milliseconds; on some systems they stop while the machine sleeps. */
  readonly steady: () => number;
  /** Runs `work` once after a delay. @returns a function that cancels it */
  readonly after: (milliseconds: number, work: () => void) => () => void;
}

export const systemClock: Clock = {
  now: Date.now,
  steady: () => performance.now(),
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
