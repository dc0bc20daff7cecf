import type { ErrorSort } from '../../contract/errors.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { ErrorPosition } from '../store/error-list-store.ts';

const form = /^(last_seen|first_seen|events|users)\.(\d{1,15})\.(\d{1,15})$/;

/**
 * Encodes the position where the next page begins; opaque to clients, so that its format can
 * change.
 */
export function writeCursor(sort: ErrorSort, position: ErrorPosition): string {
  return Buffer.from(`${sort}.${position.value}.${position.id}`).toString('base64url');
}

/** @throws HttpProblem 400 for a text that is not a cursor, or a cursor of another order. */
export function readCursor(cursor: string, sort: ErrorSort): ErrorPosition {
  const [, sortedBy, value, id] = form.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (sortedBy !== sort)
    throw new HttpProblem(400, 'This cursor does not belong to this list. Start again without one.', {
      type: 'invalid-request',
    });
  return { value: Number(value), id: Number(id) };
}
