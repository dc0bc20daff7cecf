import { createContext, useContext, useMemo, useSyncExternalStore } from 'react';

/** Whether the page is being printed. */
export const Printing = createContext(false);

/** Whether everything that folds is open, because paper cannot be unfolded. */
export const Unfolded = createContext(false);

export const usePrinting = (): boolean => useContext(Printing);

/**
 * Follows the browser's print events: the page is re-rendered between `beforeprint` and the print
 * itself. Only for the provider of `Printing`.
 */
export function useFollowPrinting(): boolean {
  const { listen, isPrinting } = useMemo(() => followPrinting(), []);
  return useSyncExternalStore(listen, isPrinting);
}

function followPrinting() {
  const media = window.matchMedia('print');
  let printing = media.matches;
  const listen = (changed: () => void): (() => void) => {
    const set = (next: boolean): void => {
      printing = next;
      changed();
    };
    const begin = (): void => set(true);
    const end = (): void => set(media.matches);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    media.addEventListener('change', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
      media.removeEventListener('change', end);
    };
  };
  return { listen, isPrinting: (): boolean => printing };
}
