import { parseUrl } from './parse-url.ts';

/** The window's own scheme: a standard, secure origin that no web page can belong to. */
export const appScheme = 'app';
export const appHost = 'local';
/** Root path of the user interface, as in a browser. */
export const homePath = '/ui/';
export const homeUrl = `${appScheme}://${appHost}${homePath}`;

/** First path segments that belong to the service; everything else is the user interface. */
const serviceFolders = ['/api', '/measurements', '/users', '/-'];

/**
 * True for addresses of the window's own origin. Compares parsed parts, because
 * `app://local.example` shares the prefix.
 */
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

/** True for paths of screens, which are all served by the one page. */
export function isScreenPath(pathname: string): boolean {
  return pathname === '/ui' || pathname.startsWith(homePath);
}

/**
 * True for paths that the service answers: its own folders, and paths that contain `/-/` after a
 * project path.
 */
export function isServicePath(pathname: string): boolean {
  if (isScreenPath(pathname)) return false;
  // `PROJECT/-/` are the addresses of the error tracking interface.
  return (
    pathname.includes('/-/') ||
    serviceFolders.some((folder) => pathname === folder || pathname.startsWith(`${folder}/`))
  );
}
