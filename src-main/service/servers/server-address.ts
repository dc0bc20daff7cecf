import { HttpProblem } from '../common/problem.ts';

/**
 * The base URL of a server in the one form in which it is kept: without a slash at its end.
 *
 * @throws HttpProblem 422 when it cannot be one.
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
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/**
 * The addresses that may be meant, in the order in which they are tried. Without a scheme, as the status bar shows it, that is https; only on this machine
 * plain http after it, because anywhere else the token would go over the network in the clear without anybody having said so.
 *
 * @throws HttpProblem 422 when it cannot be one.
 */
export function candidateAddresses(text: string): readonly string[] {
  const trimmed = text.trim();
  if (hasScheme(trimmed)) return [serverAddress(trimmed)];
  const secure = serverAddress(`https://${trimmed}`);
  const { hostname } = new URL(secure);
  const isHere = hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
  return isHere ? [secure, serverAddress(`http://${trimmed}`)] : [secure];
}

/** Whether an address says how it is spoken to; `host:port` does not. */
export function hasScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:(?!\d+(?:\/|$))/i.test(text.trim());
}

function unusable(detail: string): HttpProblem {
  return new HttpProblem(422, detail, { type: 'address-unusable' });
}
