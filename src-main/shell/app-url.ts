import { parseUrl } from './parse-url.ts';

/** The window's own scheme. A standard, secure origin that no web page elsewhere can be part of. */
export const appScheme = 'app';
export const appHost = 'local';
export const appOrigin = `${appScheme}://${appHost}`;

/** Parts of the path that belong to the service; all else is the user interface. */
const serviceFolders = ['/api', '/measurements', '/users', '/-'];

/** True for addresses of the window's own origin. Compared by parts, because `app://local.example` begins alike. */
export function isAppUrl(text: string): boolean {
  const url = parseUrl(text);
  return url !== undefined && url.protocol === `${appScheme}:` && url.host === appHost && url.username === '' && url.password === '';
}

/** True for paths that the service answers. */
export function isServicePath(pathname: string): boolean {
  return serviceFolders.some((folder) => pathname === folder || pathname.startsWith(`${folder}/`));
}
