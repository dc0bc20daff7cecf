import { parseUrl } from './parse-url.ts';

/** The window's own scheme. A standard, secure origin that no web page elsewhere can be part of. */
export const appScheme = 'app';
export const appHost = 'local';
/** Where the user interface begins: its screens lie under the same path as in a browser. */
export const homePath = '/ui/';
export const homeUrl = `${appScheme}://${appHost}${homePath}`;

/** Parts of the path that belong to the service; all else is the user interface. */
const serviceFolders = ['/api', '/measurements', '/users', '/-'];

/** True for addresses of the window's own origin. Compared by parts, because `app://local.example` begins alike. */
export function isAppUrl(text: string): boolean {
  const url = parseUrl(text);
  return (
    url !== undefined &&
    url.protocol === `${appScheme}:` &&
    url.host === appHost &&
    url.username === '' &&
    url.password === ''
  );
}

/** True for the addresses of screens, which are all the one page. */
export function isScreenPath(pathname: string): boolean {
  return pathname === '/ui' || pathname.startsWith(homePath);
}

/** True for paths that the service answers: its own folders, and what lies at `/PATH OF A PROJECT/-/`. */
export function isServicePath(pathname: string): boolean {
  if (isScreenPath(pathname)) return false;
  // `/-/` behind the path of a project: the addresses of the error tracking interface.
  return (
    pathname.includes('/-/') ||
    serviceFolders.some((folder) => pathname === folder || pathname.startsWith(`${folder}/`))
  );
}
