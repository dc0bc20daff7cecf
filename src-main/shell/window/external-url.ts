import { parseUrl } from '../page/parse-url.ts';

/** The address to hand to the user's browser or mail program, or undefined when it is not one that may leave the application. */
export function externalUrl(text: string): string | undefined {
  const url = parseUrl(text);
  if (url === undefined || url.username !== '' || url.password !== '') return undefined;
  const isWeb = url.protocol === 'https:' && url.hostname !== '';
  return isWeb || (url.protocol === 'mailto:' && !attaches(url)) ? url.href : undefined;
}

// Not in the standard (RFC 6068), but some mail programs put the file that it names into the message.
function attaches(url: URL): boolean {
  return [...url.searchParams.keys()].some((name) => /^attach/i.test(name));
}

/** The address of a path of the service itself, or undefined when the path would lead elsewhere. */
export function serviceUrl(base: string, path: string): string | undefined {
  if (!path.startsWith('/')) return undefined;
  const url = parseUrl(path, base);
  return url !== undefined && url.origin === new URL(base).origin ? url.href : undefined;
}
