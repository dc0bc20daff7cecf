/**
 * Selected rows, the row with the keyboard cursor, and the row from which Shift extends; by id,
 * because rows move when the data changes.
 */
export interface RowSelection {
  readonly ids: ReadonlySet<string>;
  readonly cursor: string | null;
  readonly anchor: string | null;
}

export const noRows: RowSelection = { ids: new Set(), cursor: null, anchor: null };

/** Only this row. */
export function onlyRow(id: string): RowSelection {
  return { ids: new Set([id]), cursor: id, anchor: id };
}

/** Adds a row, or removes it if it was selected. */
export function toggleRow(selection: RowSelection, id: string): RowSelection {
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, cursor: id, anchor: id };
}

/**
 * All rows between the anchor and this one; the anchor stays, so that the next Shift can shrink the
 * range.
 */
export function extendTo(selection: RowSelection, order: readonly string[], id: string): RowSelection {
  const anchor = selection.anchor ?? selection.cursor ?? id;
  const from = order.indexOf(anchor);
  const to = order.indexOf(id);
  if (from === -1 || to === -1) return onlyRow(id);
  return { ids: new Set(order.slice(Math.min(from, to), Math.max(from, to) + 1)), cursor: id, anchor };
}

/**
 * The position so many steps from the cursor, inside the list; without a cursor the first, or
 * upwards the last.
 */
export function moveCursor(cursor: number | null, step: number, total: number): number {
  if (cursor === null) return step >= 0 ? 0 : Math.max(0, total - 1);
  return Math.min(Math.max(0, total - 1), Math.max(0, cursor + step));
}

/** The row so many steps from the cursor. */
export function rowAfter(selection: RowSelection, order: readonly string[], steps: number): string | undefined {
  const at = selection.cursor === null ? -1 : order.indexOf(selection.cursor);
  return order[moveCursor(at === -1 ? null : at, steps, order.length)];
}

/** Deselects rows that have left the list. */
export function keepListed(selection: RowSelection, order: readonly string[]): RowSelection {
  const listed = new Set(order);
  return keepOnly(selection, (id) => listed.has(id));
}

/** Deselects rows that are hidden. */
export function keepOnly(selection: RowSelection, isThere: (id: string) => boolean): RowSelection {
  if (
    [...selection.ids].every((id) => isThere(id)) &&
    [selection.cursor, selection.anchor].every((id) => id === null || isThere(id))
  )
    return selection;
  const kept = (id: string | null): string | null => (id !== null && isThere(id) ? id : null);
  return {
    ids: new Set([...selection.ids].filter((id) => isThere(id))),
    cursor: kept(selection.cursor),
    anchor: kept(selection.anchor),
  };
}
