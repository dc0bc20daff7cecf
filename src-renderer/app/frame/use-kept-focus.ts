import { useEffect, type RefObject } from 'react';

// A tab that gets the focus is opened, so only the open one may have it.
const closedTab = '[role="tab"]:not([aria-selected="true"])';
const focusable =
  'h1, a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([role="separator"])';

/**
 * What has the focus may be removed or switched off: the row of a token that was revoked, the list whose last error was resolved. The focus is then with
 * what comes first in the nearest part of the screen that is left (the next row, the button that took the place, the heading of the list) instead of
 * nowhere. A button that is only busy gets it back.
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
      // From a dialog or a message it goes back to where it was before.
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
      // Where nothing is left it is another screen, and all of it is new.
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
      // After a dialog that ends has given the focus back itself.
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
