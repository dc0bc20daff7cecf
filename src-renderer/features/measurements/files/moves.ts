import type { TreeRow } from './tree.ts';

/** The effect of an arrow key to the side: it folds or unfolds a folder, or moves to another row. */
export type SideMove =
  | { readonly kind: 'fold'; readonly path: string; readonly folded: boolean }
  | { readonly kind: 'move'; readonly to: number };

/** The arrow to the right: unfolds a folder, then enters it. */
export function moveIn(rows: readonly TreeRow[], at: number): SideMove | null {
  const row = rows[at];
  if (row?.kind !== 'folder') return null;
  if (!row.unfolded) return { kind: 'fold', path: row.path, folded: false };
  const next = rows[at + 1];
  return next !== undefined && next.kind !== 'more' && next.level > row.level ? { kind: 'move', to: at + 1 } : null;
}

/** The arrow to the left: folds a folder, or moves to the folder in which the row is. */
export function moveOut(rows: readonly TreeRow[], at: number): SideMove | null {
  const row = rows[at];
  if (row === undefined) return null;
  if (row.kind === 'folder' && row.unfolded) return { kind: 'fold', path: row.path, folded: true };
  for (let above = at - 1; above >= 0; above -= 1)
    if ((rows[above]?.level ?? 0) < row.level) return { kind: 'move', to: above };
  return null;
}

/** The row so many rows away that is loaded, or the nearest before it; null where none is. */
export function moveBy(rows: readonly TreeRow[], at: number | null, by: number): number | null {
  const last = rows.length - 1;
  const wanted = at === null ? (by >= 0 ? 0 : last) : Math.max(0, Math.min(last, at + by));
  const step = by >= 0 ? 1 : -1;
  // Rows that are not loaded yet are passed over in the direction of the move, or else not reached.
  for (let to = wanted; to >= 0 && to <= last; to += step) if (rows[to]?.kind !== 'more') return to;
  for (let to = wanted; to >= 0 && to <= last; to -= step) if (rows[to]?.kind !== 'more') return to;
  return null;
}
