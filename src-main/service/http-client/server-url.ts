import { HttpRequestError } from './http-request-error.ts';

/** Parses a base URL, without slashes at its end. @throws HttpRequestError if it is unusable. */
export function parseServerUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== ''
  )
    throw new HttpRequestError(
      'address-unusable',
      'The address of the server must begin with http:// or https:// and have no user, query or fragment.',
    );
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/**
 * Resolves a location that may receive the token. @throws HttpRequestError if it is outside the
 * base URL
 */
export function resolveWithin(base: URL, location: string, from = base): URL {
  const url = URL.canParse(location, from.origin) ? new URL(location, from) : null;
  const prefix = base.pathname === '/' ? '/' : `${base.pathname}/`;
  // Percent-encoded dots and slashes count as well, because the server may decode them.
  const path = url === null ? '' : url.pathname.replaceAll(/%2e/gi, '.').replaceAll(/%2f|%5c/gi, '/');
  if (url?.origin === base.origin && url.pathname.startsWith(prefix) && !path.split('/').includes('..')) return url;
  throw redirected(
    base.host,
    url === null || url.origin === base.origin ? 'away from its address' : `to ${url.origin}`,
  );
}

/** The error for a redirect that is not followed. */
export function redirected(host: string, where: string): HttpRequestError {
  return new HttpRequestError(
    'redirected',
    `${host} redirects ${where}. That is not followed, because of the token: enter the server's real address.`,
  );
}

/** The port of a URL, also where it is the usual one of its scheme. */
export function portOf({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
