import { HttpProblem } from '../common/problem.ts';
import { HttpRequestError } from '../http-client/http-request-error.ts';
import { ownerGuard } from '../http-client/outgoing-guard.ts';

/**
 * Normalizes the base URL of a server: without a trailing slash.
 *
 * @throws HttpProblem 422 when it is not a valid base URL.
 */
export function serverAddress(text: string): string {
  const trimmed = text.trim();
  const url = URL.canParse(trimmed) ? new URL(trimmed) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw unusable('Enter an address that begins with http:// or https://, such as https://lab.example.');
  }
  if (url.username !== '' || url.password !== '')
    throw unusable('The address contains a user name or a password. Leave them out: the token identifies you.');
  if (url.search !== '' || url.hash !== '')
    throw unusable('The address contains a question mark or a number sign. Enter only what comes before it.');
  requireServerAddress(url);
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** @throws HttpProblem 422 for an address of a metadata service or a reserved one. */
function requireServerAddress(url: URL): void {
  try {
    ownerGuard().lookupFor(url);
  } catch (error) {
    throw error instanceof HttpRequestError ? unusable(error.message) : error;
  }
}

/**
 * Addresses to try for an entered text, in order. Without a scheme that is https, and on this
 * machine plain http after it; elsewhere http must be entered explicitly, because the token would
 * be sent unencrypted.
 *
 * @throws HttpProblem 422 when it is not a valid address.
 */
export function candidateAddresses(text: string): readonly string[] {
  const trimmed = text.trim();
  if (hasScheme(trimmed)) return [serverAddress(trimmed)];
  const secure = serverAddress(`https://${trimmed}`);
  const { hostname } = new URL(secure);
  const isHere = hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
  return isHere ? [secure, serverAddress(`http://${trimmed}`)] : [secure];
}

/** Whether a text has a scheme; `host:port` does not. */
export function hasScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:(?!\d+(?:\/|$))/i.test(text.trim());
}

function unusable(detail: string): HttpProblem {
  return new HttpProblem(422, detail, { type: 'address-unusable' });
}
