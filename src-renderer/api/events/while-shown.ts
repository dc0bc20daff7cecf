/**
 * Runs something while the page is visible, and stops it while the page is hidden, frozen or in the
 * back/forward cache. `pagehide` also covers pages that are left.
 * @param start begins it and returns how to end it.
 * @returns the function that ends it for good.
 */
export function whileShown(start: () => () => void, page: Document = document, view: Window = window): () => void {
  let stop: (() => void) | null = null;
  const end = (): void => {
    stop?.();
    stop = null;
  };
  const look = (): void => {
    if (page.visibilityState === 'hidden') end();
    else stop ??= start();
  };
  page.addEventListener('visibilitychange', look);
  view.addEventListener('pageshow', look);
  view.addEventListener('pagehide', end);
  look();
  return () => {
    page.removeEventListener('visibilitychange', look);
    view.removeEventListener('pageshow', look);
    view.removeEventListener('pagehide', end);
    end();
  };
}
