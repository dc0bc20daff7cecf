import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The value that a browser with this session cookie sends in `X-CSRF-Token`; a page of another
 * origin can read neither.
 */
export function csrfToken(cookie: string, key: Buffer): string {
  return createHmac('sha256', key).update(cookie).digest('base64url');
}

/**
 * Whether a request with a session cookie may write. Three checks: the cookie is SameSite=Lax, the
 * header must match it, and the origin, where the browser names it, must be this one (OWASP's CSRF
 * Prevention Cheat Sheet: signed double submit, Fetch Metadata).
 */
export function csrfHolds(request: FastifyRequest, cookie: string, key: Buffer): boolean {
  if (safe.has(request.method)) return true;
  // Requests of our screens always state their origin; a page that hides it, such as a sandboxed
  // frame, is not ours.
  if (isFromElsewhere(request) || request.headers.origin === 'null') return false;
  const sent = request.headers['x-csrf-token'];
  return typeof sent === 'string' && sameText(sent, csrfToken(cookie, key));
}

/**
 * Whether the browser states that a page of another site, or of another port, sent this request
 * (W3C Fetch Metadata; over plain HTTP only the Origin header, RFC 6454). The origin "null" counts
 * as not stated, because our pages send it too when they send no referrer; other credentials of the
 * request then decide.
 */
export function isFromElsewhere(request: FastifyRequest): boolean {
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  // Set by the browser itself, so it also holds behind a proxy that replaces the Host header.
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  if (origin === undefined || origin === 'null') return false;
  // The Host header was checked before (`host-check.ts`). The scheme is not compared: a proxy may
  // have changed it.
  const here = `${origin.slice(0, origin.indexOf(':'))}://${host}`;
  return !URL.canParse(origin) || !URL.canParse(here) || new URL(origin).host !== new URL(here).host;
}

/** Compares two texts in a time that does not depend on how much of them is equal. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
