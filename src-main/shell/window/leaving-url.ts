import { isAppUrl } from '../page/app-url.ts';
import { externalUrl, serviceUrl } from './external-url.ts';
import { parseUrl } from '../page/parse-url.ts';

/** Pages that the service draws for browsers: signing in, and giving other software access. The window never shows them (RFC 8252 section 8.12). */
const browserFolders = ['/oauth', '/users'];

/** True for addresses of the window's own scheme that stand for a page of the service that only a browser shows. */
export function isBrowserPage(text: string): boolean {
  const url = parseUrl(text);
  return (
    url !== undefined &&
    isAppUrl(text) &&
    browserFolders.some((folder) => url.pathname === folder || url.pathname.startsWith(`${folder}/`))
  );
}

/**
 * The address to hand to the system for something that a page wants to open, or undefined when it may not leave. The service's own pages may, at its
 * base URL; anything else only as far as `externalUrl` lets it. A private-use scheme, in which native applications get their answers, never does.
 */
export function leavingUrl(text: string, serviceBase: string | undefined): string | undefined {
  const url = parseUrl(text);
  if (url === undefined) return undefined;
  if (serviceBase !== undefined) {
    if (isBrowserPage(text)) return serviceUrl(serviceBase, url.pathname + url.search);
    if (
      /^https?:$/.test(url.protocol) &&
      url.origin === new URL(serviceBase).origin &&
      url.username === '' &&
      url.password === ''
    )
      return url.href;
  }
  return externalUrl(text);
}
