import { parseUrl } from '../page/parse-url.ts';

/**
 * The address to open in the user's browser or mail program, or undefined if it may not leave the
 * application.
 */
export function externalUrl(text: string): string | undefined {
  const url = parseUrl(text);
  if (url === undefined || url.username !== '' || url.password !== '') return undefined;
  const isWeb = url.protocol === 'https:' && url.hostname !== '';
  return isWeb || (url.protocol === 'mailto:' && !attaches(url)) ? url.href : undefined;
}

// Not in the standard (RFC 6068), but some mail programs attach the file that it names.
function attaches(url: URL): boolean {
  return [...url.searchParams.keys()].some((name) => /^attach/i.test(name));
}

/**
 * The absolute address of one of the service's own paths, or undefined if the path leads to another
 * origin.
 */
export function serviceUrl(base: string, path: string): string | undefined {
  if (!path.startsWith('/')) return undefined;
  const url = parseUrl(path, base);
  return url !== undefined && url.origin === new URL(base).origin ? url.href : undefined;
}
