import type { Session, WebContents } from 'electron';
import { appScheme, homeUrl, isAppUrl } from '../page/app-url.ts';
import { isBrowserPage } from './leaving-url.ts';
import { parseUrl } from '../page/parse-url.ts';

/** Port 1 refuses connections at once, and an IP address needs no DNS lookup. */
const deadProxy = { mode: 'fixed_servers', proxyRules: 'http://127.0.0.1:1', proxyBypassRules: '<-loopback>' } as const;

/**
 * Confines a window to its own pages: no foreign address, no new window, no guest page. Links open
 * in the user's browser if `openExternal` accepts them.
 */
export function confineNavigation(contents: WebContents, openExternal: (url: string) => void): void {
  const mayShow = (url: string): boolean => isAppUrl(url) && !isBrowserPage(url);
  contents.on('will-navigate', (details) => {
    if (!mayShow(details.url)) details.preventDefault();
  });
  // Fires before `will-navigate`; a navigation prevented here is not reported again.
  contents.on('will-frame-navigate', (details) => {
    if (mayShow(details.url)) return;
    details.preventDefault();
    if (details.isMainFrame && isBrowserPage(details.url)) openExternal(details.url);
  });
  contents.on('will-redirect', (details) => {
    if (!mayShow(details.url)) details.preventDefault();
  });
  // A page can navigate to `about:` without any preceding event, which would leave the window
  // blank.
  contents.on('did-navigate', (_event, url) => {
    if (url.startsWith('about:')) void contents.loadURL(homeUrl).catch(() => {});
  });
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
  });
  // WebRTC packets are not requests: neither the page's CSP nor `confineRequests` applies to them.
  // Connections that this setting still allows go through the dead proxy.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(({ url }) => {
    openExternal(url);
    return { action: 'deny' };
  });
}

/**
 * Cancels every request of a page to anything but the application itself, whatever its CSP allows,
 * and sends traffic that is not a request to a dead proxy.
 */
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
