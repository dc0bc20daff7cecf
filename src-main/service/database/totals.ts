/** How many rows a list has: counted to its end, or at least so many. */
export interface Total {
  readonly count: number;
  readonly complete: boolean;
}

/** Beyond this, lists say "more than", as counting reads each row. */
export const maxCounted = 10_000;

/** The total of a count that was stopped one row behind `maxCounted`. */
export function totalOf(counted: number): Total {
  return { count: Math.min(counted, maxCounted), complete: counted <= maxCounted };
}
