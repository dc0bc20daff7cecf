import { useState } from 'react';
import { keepListed, noRows, type RowSelection } from './row-selection.ts';
import type { RowCursor } from './row-table.tsx';

/** The row with the keyboard cursor of a table, as its properties. */
export function useRowCursor<Key extends string | number = number>(): RowCursor<Key> {
  const [current, onCurrent] = useState<Key | null>(null);
  return { current, onCurrent };
}

export interface ChosenRows {
  readonly selection: RowSelection;
  readonly onSelect: (selection: RowSelection) => void;
}

/** The selected rows of a table, as its properties; rows that have left the list are deselected. */
export function useChosenRows(keys: readonly string[]): ChosenRows {
  const [chosen, onSelect] = useState(noRows);
  return { selection: keepListed(chosen, keys), onSelect };
}
