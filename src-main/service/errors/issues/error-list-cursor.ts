import type { ErrorSort } from '../../contract/errors.ts';
import { invalidCursor, readCursor } from '../../http/pagination.ts';
import type { ErrorPosition } from '../store/list/error-list-store.ts';

/** @throws HttpProblem 400 for a text that is not a cursor, or a cursor of another order. */
export function readErrorCursor(cursor: string, sort: ErrorSort): ErrorPosition {
  const { key, id } = readCursor(cursor, sort);
  if (typeof key === 'string' || typeof id === 'string') throw invalidCursor();
  return { value: key, id };
}
