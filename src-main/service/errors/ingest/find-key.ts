import { Buffer } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { malformed } from '../normalise/ingest-failure.ts';

/** The client key that a request names. */
export interface Credential {
  readonly publicKey: string;
  /** Name and version of the SDK; null when the request does not state them. */
  readonly client: string | null;
}

const maxHeaderLength = 255;
const publicKey = /^[\w-]{1,255}$/;

/**
 * Finds the client key of a request, in this order: query, `X-Sentry-Auth`, `Authorization:
 * Sentry`, `Authorization: Basic`.
 *
 * @returns null when the request has none; the envelope's own header must then name it.
 * @throws IngestFailure 400 when the key is present and cannot be read.
 */
export function findCredential(url: string, headers: IncomingHttpHeaders): Credential | null {
  const parameters = url.includes('?') ? fromQuery(url.slice(url.indexOf('?') + 1)) : null;
  if (parameters !== null) return parameters;
  const header = headers['x-sentry-auth'];
  if (header !== undefined) return fromPairs(Array.isArray(header) ? (header[0] ?? '') : header);
  const authorization = headers.authorization ?? '';
  if (/^sentry\s/i.test(authorization)) return fromPairs(authorization);
  const basic = /^basic\s+([A-Za-z0-9+/=_-]{1,1024})\s*$/i.exec(authorization)?.[1];
  if (basic === undefined) return null;
  const name = Buffer.from(basic, 'base64').toString().split(':', 1)[0];
  return credential(name ?? '', null);
}

const maxCached = 1000;
// A program sends the same query with each event.
const kept = new Map<string, Credential>();

function fromQuery(query: string): Credential | null {
  const known = kept.get(query);
  if (known) return known;
  const parameters = new URLSearchParams(query);
  const key = parameters.get('sentry_key');
  if (key === null) return null;
  const found = credential(key, parameters.get('sentry_client'));
  if (kept.size >= maxCached) kept.clear();
  if (query.length <= 2 * maxHeaderLength) kept.set(query, found);
  return found;
}

/**
 * Parses `Sentry sentry_version=7, sentry_key=...`, with or without a space after the comma, in any
 * order.
 */
function fromPairs(header: string): Credential {
  const pairs = new Map<string, string>();
  for (const part of header.replace(/^\s*sentry\s+/i, '').split(',')) {
    const sign = part.indexOf('=');
    if (sign > 0) pairs.set(part.slice(0, sign).trim().toLowerCase(), part.slice(sign + 1).trim());
  }
  return credential(pairs.get('sentry_key') ?? '', pairs.get('sentry_client') ?? null);
}

function credential(key: string, client: string | null): Credential {
  if (!publicKey.test(key)) throw malformed('The request names no readable client key.');
  return { publicKey: key, client: client === null ? null : client.slice(0, maxHeaderLength) };
}

/**
 * Reads the client key from the `dsn` of an envelope's header; null when there is none.
 *
 * @throws IngestFailure 400 when the DSN is of another project or unreadable.
 */
export function keyOfDsn(dsn: unknown, projectId: string): string | null {
  if (dsn === undefined || dsn === null) return null;
  const url = typeof dsn === 'string' && dsn.length <= 2048 && URL.canParse(dsn) ? new URL(dsn) : null;
  if (!url || !publicKey.test(url.username)) throw malformed('The DSN in the envelope cannot be read.');
  if (url.pathname.split('/').at(-1) !== projectId)
    throw malformed('The DSN in the envelope is of another project than the address.');
  return url.username;
}
