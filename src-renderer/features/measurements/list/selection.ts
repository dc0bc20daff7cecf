/** Selected measurements by id, and the row from which Shift extends. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly anchor: number | null;
}

/** The row with the keyboard cursor, and its position at that time. */
export interface Cursor {
  readonly index: number;
  /** Null for a row that was not loaded. */
  readonly id: string | null;
}

export const nothingSelected: Selection = { ids: new Set(), anchor: null };

/**
 * Selects only this row.
 * @param index its position in the list.
 */
export function selectOnly(id: string, index: number): Selection {
  return { ids: new Set([id]), anchor: index };
}

/**
 * Adds a row, or removes it if it was selected.
 * @param index its position in the list.
 */
export function toggle(selection: Selection, id: string, index: number): Selection {
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, anchor: index };
}

/** The rows between the anchor and a row, both included. */
export function rangeTo(selection: Selection, index: number): { readonly from: number; readonly to: number } {
  const anchor = selection.anchor ?? index;
  return { from: Math.min(anchor, index), to: Math.max(anchor, index) };
}

/** Selects a range; the anchor stays, so that the next Shift can shrink it again. */
export function selectRange(selection: Selection, ids: Iterable<string>, index: number): Selection {
  return { ids: new Set(ids), anchor: selection.anchor ?? index };
}

/** Deselects ids that were removed. */
export function without(selection: Selection, removed: ReadonlySet<string>): Selection {
  return { ids: new Set([...selection.ids].filter((id) => !removed.has(id))), anchor: selection.anchor };
}
