/** Time as the queue takes it: what a clock on the wall shows, which may jump, and what only passes. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds that have passed since some moment; on some systems not while the machine sleeps. */
  readonly steady: () => number;
  /** Runs once after a time. @returns the function that takes it back. */
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
