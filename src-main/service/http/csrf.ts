import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The value that a browser with this session cookie sends in `X-CSRF-Token`: a page of another origin can read neither. */
export function csrfToken(cookie: string, key: Buffer): string {
  return createHmac('sha256', key).update(cookie).digest('base64url');
}

/**
 * Whether a request that came with a session cookie may write: the cookie is SameSite=Lax, the header must match it, and a browser
 * that says where the request comes from must say "from here" (OWASP's CSRF Prevention Cheat Sheet: signed double submit, Fetch Metadata).
 */
export function csrfHolds(request: FastifyRequest, cookie: string, key: Buffer): boolean {
  if (safe.has(request.method)) return true;
  // Requests of our screens always say where they come from; a page that hides it, such as a sandboxed frame, is not ours.
  if (isFromElsewhere(request) || request.headers.origin === 'null') return false;
  const sent = request.headers['x-csrf-token'];
  return typeof sent === 'string' && sameText(sent, csrfToken(cookie, key));
}

/**
 * Whether the browser says that a page of another site, or of another port, has made it send this (W3C Fetch Metadata; over plain http the Origin
 * header alone, RFC 6454). "null" says nothing: it also comes from pages of ours that send no referrer, and what came with the request must decide.
 */
export function isFromElsewhere(request: FastifyRequest): boolean {
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  // The browser's own word; it also holds where a proxy has put another Host header in.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined || origin === 'null') return false;
  // The Host header is one of ours, or the request would not have come this far. The scheme may be a proxy's.
  const here = `${origin.slice(0, origin.indexOf(':'))}://${host}`;
  return !URL.canParse(origin) || !URL.canParse(here) || new URL(origin).host !== new URL(here).host;
}

/** Compares two texts in a time that does not tell how much of them is alike. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
