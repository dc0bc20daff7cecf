import type { IncomingHttpHeaders } from 'node:http';
import { membersOf, type Answer } from './answer.ts';
import type { Side } from './side.ts';

/** What of an answer is compared: name of the part, and what it says once everything that differs by nature is taken out. */
export type Observation = ReadonlyMap<string, string>;

const comparedHeaders = ['allow', 'cache-control', 'pragma'] as const;
// What protects a page says nothing about an answer in JSON.
const comparedOfPages = ['x-frame-options', 'referrer-policy'] as const;
const words = new Set(['error_description', 'message']);

/** Reduces an answer to what a client could tell one provider from the other by. */
export function observe(side: Side, answer: Answer): Observation {
  const found = new Map<string, string>([['status', String(answer.status)]]);
  const type = answer.headers['content-type'];
  // What a redirect says besides is for nobody.
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

/** Scheme and error of a challenge; realm and words belong to whoever sends it. */
function challengeOf(headers: IncomingHttpHeaders): string | null {
  const value = headers['www-authenticate'];
  if (value === undefined) return null;
  const error = /error="([^"]*)"/.exec(value)?.[1];
  return `${value.split(' ')[0]}${error === undefined ? '' : ` ${error}`}`;
}

/** Where a redirect leads, and each parameter that it carries in query or fragment. */
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

/** A value without what is new each time, and without the address of the one that gave it. */
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

/** A list or an object without regard to order: none of those that are compared has one. */
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
