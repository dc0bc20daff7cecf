import { useEffect, type RefObject } from 'react';

// A tab that gets the focus is opened, so only the open one may have it.
const closedTab = '[role="tab"]:not([aria-selected="true"])';
const focusable =
  'h1, a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([role="separator"])';

/**
 * Keeps the focus when the focused element is removed or disabled: the row of a revoked token, or
 * the list whose last error was resolved. The focus moves to the first focusable element of the
 * nearest remaining part of the screen (the next row, the replacing button, the heading of the
 * list). A button that is only busy gets it back.
 */
export function useKeptFocus(screen: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let focused: HTMLElement | null = null;
    let path: readonly EventTarget[] = [];
    let wasBusy = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onFocus = (event: FocusEvent): void => {
      focused = event.target instanceof HTMLElement ? event.target : null;
      wasBusy = false;
      // A dialog or message returns the focus to its previous place.
      if (focused !== null && screen.current?.contains(focused) === true) path = event.composedPath();
    };
    const takes = (next: HTMLElement): boolean => {
      if (!next.matches(closedTab)) next.focus({ preventScroll: true });
      return document.activeElement === next;
    };
    const keep = (last: HTMLElement): void => {
      const main = screen.current;
      const at = document.activeElement;
      if (main === null || (at !== null && at !== document.body && !at.matches(':disabled'))) return;
      if (last.isConnected && !last.matches(':disabled') && takes(last)) return;
      const left = path.filter(
        (place) => place instanceof HTMLElement && place.isConnected && main.contains(place),
      ) as HTMLElement[];
      // If nothing remains, it is a new screen.
      if (left[0] === main) return main.focus({ preventScroll: true });
      for (const place of left.length === 0 ? [main] : left)
        for (const next of place.querySelectorAll<HTMLElement>(focusable)) if (takes(next)) return;
    };
    const observer = new MutationObserver(() => {
      const last = focused;
      if (last === null) return;
      const isOff = last.matches(':disabled');
      const isBusy = last.isConnected && isOff && last.ariaBusy === 'true';
      const isLost = !last.isConnected || (isOff ? !isBusy : wasBusy);
      wasBusy = isBusy;
      if (!isLost) return;
      focused = null;
      clearTimeout(timer);
      // Runs after a closing dialog has restored the focus itself.
      timer = setTimeout(() => keep(last));
    });
    document.addEventListener('focusin', onFocus);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    return () => {
      document.removeEventListener('focusin', onFocus);
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [screen]);
}
