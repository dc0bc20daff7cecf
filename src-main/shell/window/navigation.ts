import type { Session, WebContents } from 'electron';
import { appScheme, homeUrl, isAppUrl } from '../page/app-url.ts';
import { isBrowserPage } from './leaving-url.ts';
import { parseUrl } from '../page/parse-url.ts';

/** Nothing listens there, and no name has to be looked up to find that out. */
const deadProxy = { mode: 'fixed_servers', proxyRules: 'http://127.0.0.1:1', proxyBypassRules: '<-loopback>' } as const;

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
  // The one address that a page can lead itself to without a word before; the window would stay empty.
  contents.on('did-navigate', (_event, url) => {
    if (url.startsWith('about:')) void contents.loadURL(homeUrl).catch(() => {});
  });
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
  });
  // Its packets are no requests: neither the page's policy nor `confineRequests` sees them. What is left of it goes by the proxy.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(({ url }) => {
    openExternal(url);
    return { action: 'deny' };
  });
}

/** Cancels every request of a page that is not for the application itself, whatever the page's policy lets through, and leads what is no request to nowhere. */
export function confineRequests(session: Session, developmentServer?: URL): void {
  if (developmentServer === undefined) void session.setProxy(deadProxy);
  const local = new Set([`${appScheme}:`, 'blob:', 'data:', 'devtools:']);
  session.webRequest.onBeforeRequest((details, decide) => {
    const url = parseUrl(details.url);
    const allowed =
      url !== undefined &&
      (local.has(url.protocol) || (developmentServer !== undefined && url.host === developmentServer.host));
    decide({ cancel: !allowed });
  });
}
