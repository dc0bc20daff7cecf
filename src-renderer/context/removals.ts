import { createStore } from 'zustand/vanilla';
import { toApiError } from '../api/requests/problem.ts';
import type { Fetch } from '../api/requests/types.ts';
import type { Actions } from '../api/actions/actions.ts';
import type { createToastStore } from './stores.ts';
import { countOf } from '../../src-shared/format/quantities.ts';
import { nameOf } from '../words/fetch-words.ts';

/** Milliseconds, equal to the toast with the undo button. */
const mayUndoFor = 6000;

export type Removals = ReturnType<typeof createRemovals>;

/**
 * Rows that were just removed. They are hidden at once and removed from the service only when the
 * time for undo is over, because the service cannot restore them.
 */
export function createRemovals(
  { actions, toasts }: { readonly actions: Actions; readonly toasts: ReturnType<typeof createToastStore> },
  readAgain: () => Promise<void>,
) {
  const store = createStore<{ readonly hidden: ReadonlyMap<number, Fetch> }>()(() => ({ hidden: new Map() }));
  const show = (ids: readonly number[]): void => {
    const hidden = new Map(store.getState().hidden);
    for (const id of ids) hidden.delete(id);
    store.setState({ hidden });
  };
  return {
    store,
    remove(fetches: readonly Fetch[]): void {
      const ids = fetches.map(({ id }) => id);
      const [only] = fetches;
      if (only === undefined) return;
      const what = fetches.length === 1 ? nameOf(only) : countOf(fetches.length, 'transfer');
      store.setState(({ hidden }) => ({
        hidden: new Map([...hidden, ...fetches.map((one) => [one.id, one] as const)]),
      }));
      const timer = setTimeout(() => {
        void actions
          .actOnFetches('remove', ids)
          .catch(
            (error: unknown) =>
              void toasts
                .getState()
                .show({ kind: 'bad', text: `${what} could not be removed`, detail: toApiError(error).detail }),
          )
          .then(readAgain)
          .finally(() => show(ids));
      }, mayUndoFor);
      toasts.getState().show({
        kind: 'plain',
        text: `${what} removed from the list`,
        detail: 'The files stay where they are.',
        action: {
          label: 'Undo',
          run: () => {
            clearTimeout(timer);
            show(ids);
          },
        },
      });
    },
  };
}

/** Number of `hidden` positions (ascending) before this one. */
export function hiddenBefore(listed: number, hidden: readonly number[]): number {
  let [low, high] = [0, hidden.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hidden[middle] ?? 0) < listed) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The row of the service's list at a position of the displayed one, which leaves out those at
 * `hidden` (ascending).
 */
export function listedIndex(shown: number, hidden: readonly number[]): number {
  let index = shown;
  for (const one of hidden) {
    if (one > index) break;
    index += 1;
  }
  return index;
}
