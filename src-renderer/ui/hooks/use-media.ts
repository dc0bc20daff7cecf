import { useMemo, useSyncExternalStore } from 'react';

/**
 * Whether a media query matches. The query object is created once, because a screen may re-render
 * at every key.
 */
export function useMedia(query: string): boolean {
  const { listen, holds } = useMemo(() => {
    const list = window.matchMedia(query);
    return {
      holds: () => list.matches,
      listen: (changed: () => void) => {
        list.addEventListener('change', changed);
        return () => list.removeEventListener('change', changed);
      },
    };
  }, [query]);
  return useSyncExternalStore(listen, holds);
}

/**
 * Below this width the detail leaves too little room for its list, which is inert until it is
 * closed.
 */
export const coveredQuery = '(width < 900px)';

/** A phone, or a very narrow window: list and detail are two pages. */
export const narrowQuery = '(width < 640px)';
