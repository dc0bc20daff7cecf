import { HttpProblem } from '../http/problem.ts';

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
  if (url.username !== '' || url.password !== '') throw unusable('The address holds a user name or a password. Leave them out: the token says who asks.');
  if (url.search !== '' || url.hash !== '') throw unusable('The address holds a question mark or a number sign. Enter it without what follows that.');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

function unusable(detail: string): HttpProblem {
  return new HttpProblem(422, detail, { type: 'address-unusable' });
}
