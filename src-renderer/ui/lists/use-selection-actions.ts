import { toggleRow, type RowSelection } from './row-selection.ts';
import type { RowActions } from './virtual-list.tsx';

interface SelectionActionsDeps extends Pick<RowActions, 'step' | 'selectAll'> {
  readonly selection: RowSelection;
  readonly total: number;
  readonly moveTo: (index: number) => void;
  readonly onSelect: (selection: RowSelection) => void;
  readonly onOpen: (id: string) => void;
}

/** Actions behind the keys of a long list whose rows are selected by their ids. */
export function useSelectionActions({ step, selectAll, ...deps }: SelectionActionsDeps): RowActions {
  const { selection, total, moveTo, onSelect, onOpen } = deps;
  return {
    step,
    toFirst: () => moveTo(0),
    toLast: () => moveTo(total - 1),
    toggle: () => {
      if (selection.cursor !== null) onSelect(toggleRow(selection, selection.cursor));
    },
    selectAll,
    open: () => {
      if (selection.cursor !== null) onOpen(selection.cursor);
    },
  };
}
