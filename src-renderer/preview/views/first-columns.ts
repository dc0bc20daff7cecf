import type { Column } from '../messages/content.ts';

/**
 * The columns that a plot begins with: the second one with numbers over the first, or the only one
 * over the numbers of the rows (null).
 */
export function firstColumns(columns: readonly Column[]): { readonly x: number | null; readonly y: number } {
  const [first = 0, second] = columns.flatMap(({ isNumber }, at) => (isNumber ? [at] : []));
  return second === undefined ? { x: null, y: first } : { x: first, y: second };
}
