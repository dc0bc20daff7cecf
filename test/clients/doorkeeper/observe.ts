import type { IncomingHttpHeaders } from 'node:http';
import { membersOf, type Answer } from './answer.ts';
import type { Side } from './side.ts';

/** The compared parts of a response by name, normalised. */
export type Observation = ReadonlyMap<string, string>;

const comparedHeaders = ['allow', 'cache-control', 'pragma'] as const;
// Headers that protect pages are irrelevant in JSON responses.
const comparedOfPages = ['x-frame-options', 'referrer-policy'] as const;
const words = new Set(['error_description', 'message']);

/** Reduces a response to the parts by which a client could distinguish two providers. */
export function observe(side: Side, answer: Answer): Observation {
  const found = new Map<string, string>([['status', String(answer.status)]]);
  const type = answer.headers['content-type'];
  // The body of a redirect is irrelevant.
  const hasBody = answer.text !== '' && (answer.status < 300 || answer.status > 399);
  if (hasBody && type !== undefined) found.set('content-type', type.split(';')[0] ?? '');
  const isPage = hasBody && type?.startsWith('text/html') === true;
  for (const name of [...comparedHeaders, ...(isPage ? comparedOfPages : [])]) {
    const value = answer.headers[name];
    if (value !== undefined) found.set(name, String(value));
  }
  const challenge = challengeOf(answer.headers);
  if (challenge !== null) found.set('www-authenticate', challenge);
  const { location } = answer.headers;
  if (location !== undefined) for (const [name, value] of placeOf(side, location)) found.set(name, value);
  for (const [name, value] of Object.entries(membersOf(answer)))
    found.set(`member ${name}`, words.has(name) ? '<words>' : plain(side, name, value));
  return found;
}

/** Scheme and error of a challenge; realm and description are free. */
function challengeOf(headers: IncomingHttpHeaders): string | null {
  const value = headers['www-authenticate'];
  if (value === undefined) return null;
  const error = /error="([^"]*)"/.exec(value)?.[1];
  return `${value.split(' ')[0]}${error === undefined ? '' : ` ${error}`}`;
}

/** Target of a redirect, and each parameter in its query or fragment. */
function placeOf(side: Side, location: string): readonly (readonly [string, string])[] {
  const url = new URL(location, side.url);
  if (url.origin === side.url) return [['location', `here${url.pathname}`]];
  const place: [string, string][] = [['location', `${url.origin}${url.pathname}`]];
  for (const [name, value] of url.searchParams)
    place.push([`redirect ${name}`, words.has(name) ? '<words>' : plain(side, name, value)]);
  for (const [name, value] of new URLSearchParams(url.hash.slice(1)))
    place.push([`fragment ${name}`, words.has(name) ? '<words>' : plain(side, name, value)]);
  return place;
}

/** Replaces random values and the provider's address. */
function plain(side: Side, name: string, value: unknown): string {
  if (typeof value === 'number') {
    if (name === 'created_at' || name === 'exp' || name === 'iat') return '<time>';
    if (name.startsWith('expires_in') && value > 7190 && value <= 7200) return '<7200 or a little less>';
    return name === 'resource_owner_id' ? '<id>' : String(value);
  }
  if (name === 'request_id') return '<id>';
  if (typeof value !== 'string') return structure(side, value);
  if (Object.values(side.clients).some((client) => client.clientId === value)) return '<client id>';
  if (/^[0-9a-f]{64}$/.test(value)) return '<64 hexadecimal digits>';
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(value) && value.length > 100) return '<JWT>';
  if (name === 'sub') return '<id>';
  if (name === 'kid' || name === 'n') return '<key>';
  return value.replace(side.url, '<here>');
}

/** Sorts a list or an object: the order of those compared is irrelevant. */
function structure(side: Side, value: unknown): string {
  if (Array.isArray(value))
    return `[${value
      .map((one) => (typeof one === 'string' ? one : structure(side, one)))
      .toSorted()
      .join(' ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([name, inner]) => `${name}: ${plain(side, name, inner)}`);
  return `{${members.toSorted().join(', ')}}`;
}
