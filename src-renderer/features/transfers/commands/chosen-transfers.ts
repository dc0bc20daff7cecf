import { useState } from 'react';
import { useStore, type StoreApi } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { useApp } from '../../../context/context.ts';
import { keepOnly, noRows, type RowSelection } from '../../../ui/lists/row-selection.ts';

/** A store of its own, so that moving through the list re-renders only what shows the selection. */
export type ChosenTransfers = StoreApi<RowSelection>;

/** Initial selection of the screen. */
export function useChosenTransfers(): ChosenTransfers {
  const [chosen] = useState(() => createStore<RowSelection>()(() => noRows));
  return chosen;
}

/** The selected rows among the visible ones. */
export function useSelection(chosen: ChosenTransfers): RowSelection {
  const out = useStore(useApp().fetches.removals.store, (state) => state.hidden);
  const selection = useStore(chosen);
  return out.size === 0 ? selection : keepOnly(selection, (id) => !out.has(Number(id)));
}
