import type { Session, WebContents } from 'electron';
import { appScheme, isAppUrl } from './app-url.ts';
import { isBrowserPage } from './leaving-url.ts';
import { parseUrl } from './parse-url.ts';

/** Keeps a window on its own pages: no other address, no new window, no guest page. Links out go to the user's browser, if they may. */
export function confineNavigation(contents: WebContents, openExternal: (url: string) => void): void {
  const mayShow = (url: string): boolean => isAppUrl(url) && !isBrowserPage(url);
  contents.on('will-navigate', (details) => {
    if (!mayShow(details.url)) details.preventDefault();
  });
  // Comes first, and what is prevented here is not announced again.
  contents.on('will-frame-navigate', (details) => {
    if (mayShow(details.url)) return;
    details.preventDefault();
    if (details.isMainFrame && isBrowserPage(details.url)) openExternal(details.url);
  });
  contents.on('will-redirect', (details) => {
    if (!mayShow(details.url)) details.preventDefault();
  });
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
  });
  contents.setWindowOpenHandler(({ url }) => {
    openExternal(url);
    return { action: 'deny' };
  });
}

/** Cancels every request of a page that is not for the application itself, whatever the page's policy lets through. */
export function confineRequests(session: Session, developmentServer?: URL): void {
  const local = new Set([`${appScheme}:`, 'blob:', 'data:', 'devtools:']);
  session.webRequest.onBeforeRequest((details, decide) => {
    const url = parseUrl(details.url);
    const allowed = url !== undefined && (local.has(url.protocol) || (developmentServer !== undefined && url.host === developmentServer.host));
    decide({ cancel: !allowed });
  });
}
