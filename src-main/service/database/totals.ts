/** The number of rows of a list: exact, or a lower bound. */
export interface Total {
  readonly count: number;
  readonly complete: boolean;
}

/** Beyond this, lists say "more than", because counting reads each row. */
export const maxCounted = 10_000;

/** The total of a count that stopped at `maxCounted + 1`. */
export function totalOf(counted: number): Total {
  return { count: Math.min(counted, maxCounted), complete: counted <= maxCounted };
}
