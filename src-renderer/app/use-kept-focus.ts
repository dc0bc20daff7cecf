import { useEffect, type RefObject } from 'react';

const focusable =
  'h1, a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([role="separator"])';

/**
 * What has the focus may be removed: the row of a token that was revoked, the list whose last error was resolved. The focus is then with what comes first
 * in the nearest part of the screen that is left (the next row, the button that took the place, the heading of the list) instead of nowhere.
 */
export function useKeptFocus(screen: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let focused: Node | null = null;
    let path: readonly EventTarget[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onFocus = (event: FocusEvent): void => {
      focused = event.target instanceof Node ? event.target : null;
      // From a dialog or a message it goes back to where it was before.
      if (focused !== null && screen.current?.contains(focused) === true) path = event.composedPath();
    };
    const keep = (): void => {
      const main = screen.current;
      if (main === null || document.activeElement !== document.body) return;
      const left = path.filter((place) => place instanceof HTMLElement && place.isConnected && main.contains(place)) as HTMLElement[];
      // Where nothing is left it is another screen, and all of it is new.
      if (left[0] === main) return main.focus({ preventScroll: true });
      for (const place of left.length === 0 ? [main] : left)
        for (const next of place.querySelectorAll<HTMLElement>(focusable)) {
          next.focus();
          if (document.activeElement === next) return;
        }
    };
    const observer = new MutationObserver(() => {
      if (focused === null || focused.isConnected) return;
      focused = null;
      clearTimeout(timer);
      // After a dialog that ends has given the focus back itself.
      timer = setTimeout(keep);
    });
    document.addEventListener('focusin', onFocus);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', onFocus);
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [screen]);
}
