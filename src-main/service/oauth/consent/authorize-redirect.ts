/**
 * Transport of a response: query or fragment of the redirect URI, or a form posted by the browser.
 */
export type ResponseMode = 'query' | 'fragment' | 'form_post';

/** Destination of a response, once the redirect URI is verified for the client. */
export interface ReturnAddress {
  readonly redirectUri: string;
  readonly mode: ResponseMode;
  readonly state: string | null;
}

/** Parameters of a response, in order; null values are left out. */
export type ResponseParameters = Readonly<Record<string, string | null>>;

/**
 * Adds the parameters common to all responses: `state` unchanged, and `iss`, by which a client of
 * several servers identifies the sender (RFC 9207).
 */
export function responseParameters(
  back: ReturnAddress,
  issuer: string,
  members: ResponseParameters,
): readonly (readonly [string, string])[] {
  const all = { ...members, state: back.state, iss: issuer };
  return Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null);
}

/**
 * The address to redirect to. Parameters of the response replace those with equal names in the
 * registered query.
 */
export function responseLocation(back: ReturnAddress, members: readonly (readonly [string, string])[]): string {
  const response = members.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  if (back.mode === 'fragment') return `${back.redirectUri}#${response}`;
  const mark = back.redirectUri.indexOf('?');
  if (mark < 0) return `${back.redirectUri}?${response}`;
  const names = new Set(members.map(([name]) => name));
  const kept = back.redirectUri
    .slice(mark + 1)
    .split('&')
    .filter((pair) => pair !== '' && !names.has(nameOf(pair)));
  return `${back.redirectUri.slice(0, mark)}?${[...kept, response].join('&')}`;
}

function nameOf(pair: string): string {
  return [...new URLSearchParams(pair).keys()][0] ?? '';
}
