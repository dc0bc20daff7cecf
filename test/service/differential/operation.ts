import type { Draw } from './random.ts';
import type { Stores } from './two-engines.ts';

/** Draws arguments once, and gives the call that is made on each engine. */
export type Operation = (draw: Draw) => (of: Stores) => Promise<unknown>;

export type Operations = Readonly<Record<string, Operation>>;

/** The time at which the operations begin; each is a second later than the last. */
export const beginning = Date.UTC(2026, 10, 20, 12);

/** Rows whose order is not promised. */
export function unordered(rows: readonly unknown[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}
