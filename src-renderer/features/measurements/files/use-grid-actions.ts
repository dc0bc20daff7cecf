import { useEffect, useMemo, useState, type MouseEvent } from 'react';
import { useStable } from '../../../ui/hooks/use-stable.ts';
import type { VirtualRows } from '../../../ui/lists/virtual-list.tsx';
import { chosenOf, withItems, type Choice, type Item } from './choice.ts';
import { itemOf, type TreeRow } from './tree.ts';

/** The choice and how it changes; null where nothing can be chosen. */
export interface Choosing {
  readonly choice: Choice;
  readonly onChange: (change: (choice: Choice) => Choice) => void;
  readonly chooseAll: () => void;
}

export interface GridActionsOptions {
  readonly rows: readonly TreeRow[];
  /** Id of the row with the keyboard cursor. */
  readonly cursor: string | null;
  readonly onCursor: (id: string) => void;
  readonly choosing: Choosing | null;
  readonly onFold: (path: string, folded: boolean) => void;
  readonly onLook: (file: number) => void;
}

/** The effects of keys and clicks on the rows of a tree of files; rows are named by their index. */
export function useGridActions(options: GridActionsOptions, { show, grid }: VirtualRows) {
  const { rows, cursor: cursorId, onCursor, choosing, onFold, onLook } = options;
  const at = useMemo(() => rows.findIndex(({ id }) => id === cursorId), [rows, cursorId]);
  const isListed = at >= 0;
  const [anchor, setAnchor] = useState<string | null>(null);
  // Also a row that another part of the screen has named, and that may have to be loaded first; rows
  // that come above it do not scroll the list.
  const showRow = useStable((id: string | null) => {
    if (id !== null && at >= 0) show(at);
  });
  useEffect(() => {
    if (isListed) showRow(cursorId);
  }, [isListed, cursorId, showRow]);
  const moveTo = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    show(index);
    onCursor(row.id);
  };
  const choose = (index: number): void => {
    const [item] = itemsBetween(rows, index, index);
    if (item === undefined) return;
    setAnchor(rows[index]?.id ?? null);
    choosing?.onChange((choice) => withItems(choice, [item], chosenOf(choice, item) !== 'all'));
  };
  const chooseTo = (index: number): void => {
    const begin = anchor ?? cursorId;
    const from = rows.findIndex(({ id }) => id === begin);
    if (from < 0) return choose(index);
    setAnchor(begin);
    return choosing?.onChange((choice) => withItems(choice, itemsBetween(rows, from, index), true));
  };
  const open = (index: number): void => {
    const row = rows[index];
    if (row?.kind === 'folder') onFold(row.path, row.unfolded);
    if (row?.kind === 'file') onLook(row.file.index);
  };
  const onClick = (event: MouseEvent, index: number, how: 'open' | 'choose'): void => {
    grid.current?.focus({ preventScroll: true });
    moveTo(index);
    if (choosing !== null && event.shiftKey) chooseTo(index);
    else if (choosing !== null && (how === 'choose' || event.ctrlKey || event.metaKey)) choose(index);
    else open(index);
  };
  return { cursor: isListed ? at : null, moveTo, choose, chooseTo, open, onClick };
}

function itemsBetween(rows: readonly TreeRow[], one: number, other: number): readonly Item[] {
  return rows.slice(Math.min(one, other), Math.max(one, other) + 1).flatMap((row) => itemOf(row) ?? []);
}
