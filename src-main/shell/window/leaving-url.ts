import { isAppUrl } from '../page/app-url.ts';
import { externalUrl, serviceUrl } from './external-url.ts';
import { parseUrl } from '../page/parse-url.ts';

/**
 * Pages that the service renders for browsers: sign-in and OAuth consent. The window never shows
 * them (RFC 8252 section 8.12).
 */
const browserFolders = ['/oauth', '/users'];

/** True for addresses of the window's own scheme whose path is a page for browsers only. */
export function isBrowserPage(text: string): boolean {
  const url = parseUrl(text);
  return (
    url !== undefined &&
    isAppUrl(text) &&
    browserFolders.some((folder) => url.pathname === folder || url.pathname.startsWith(`${folder}/`))
  );
}

/**
 * The address to pass to the operating system for a link in the page, or undefined if it may not
 * leave. The service's own pages may, at its base URL; other addresses only if `externalUrl`
 * accepts them. Private-use schemes, by which native applications receive OAuth responses, are
 * never passed on.
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
