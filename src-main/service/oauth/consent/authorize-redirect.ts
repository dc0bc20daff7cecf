/** How an answer travels: in the query of the redirect URI, in its fragment, or as a form that the browser posts to it. */
export type ResponseMode = 'query' | 'fragment' | 'form_post';

/** Where the answer to a request goes, once client and redirect URI are known to belong together. */
export interface ReturnAddress {
  readonly redirectUri: string;
  readonly mode: ResponseMode;
  readonly state: string | null;
}

/** The members of an answer, in order; those that are null are left out. */
export type ResponseParameters = Readonly<Record<string, string | null>>;

/** An answer with the members that every answer has: `state` as it came, and `iss`, by which a client of several servers tells whose answer it is (RFC 9207). */
export function responseParameters(
  back: ReturnAddress,
  issuer: string,
  members: ResponseParameters,
): readonly (readonly [string, string])[] {
  const all = { ...members, state: back.state, iss: issuer };
  return Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null);
}

/** The address that an answer in query or fragment leads to. Members of the answer replace those of the same name in the registered query. */
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
