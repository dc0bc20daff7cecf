import { useSyncExternalStore } from 'react';

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    () => window.matchMedia(query).matches,
  );
}

/** A detail covers its list, which is out of reach until it is closed. */
export const coveredQuery = '(width < 1100px)';

/** A phone, or a very narrow window: list and detail are two pages. */
export const narrowQuery = '(width < 640px)';
