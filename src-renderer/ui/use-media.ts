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

/** A detail leaves too little of its list to work with: it is out of reach until the detail is closed. */
export const coveredQuery = '(width < 900px)';

/** A phone, or a very narrow window: list and detail are two pages. */
export const narrowQuery = '(width < 640px)';
