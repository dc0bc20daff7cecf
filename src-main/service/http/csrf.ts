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
  if (isFromElsewhere(request)) return false;
  const sent = request.headers['x-csrf-token'];
  return typeof sent === 'string' && sameText(sent, csrfToken(cookie, key));
}

/** Whether the browser says that a page of another site, or of another port, has made it send this (W3C Fetch Metadata). */
export function isFromElsewhere(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** Compares two texts in a time that does not tell how much of them is alike. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
