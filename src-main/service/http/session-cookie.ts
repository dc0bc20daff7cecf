import type { FastifyReply, FastifyRequest } from 'fastify';
import { comesByHttps } from './comes-by-https.ts';

// A browser takes a cookie with the __Host- prefix only over HTTPS, from this host, for all paths: no other host of the domain can set it (RFC 6265bis).
const plainName = 'benchport_session';
const secureName = `__Host-${plainName}`;

/** The value of the session's cookie. Under HTTPS a cookie without the prefix counts for nothing: another host could have planted it. */
export function readSessionCookie(request: FastifyRequest, baseUrl: string): string | undefined {
  return request.cookies[comesByHttps(request, baseUrl) ? secureName : plainName];
}

/** Gives a browser its session. */
export function setSessionCookie(reply: FastifyReply, value: string, baseUrl: string, lifetimeMilliseconds: number): void {
  const secure = comesByHttps(reply.request, baseUrl);
  reply.setCookie(secure ? secureName : plainName, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: Math.floor(lifetimeMilliseconds / 1000),
  });
}

/** Takes the session away from a browser. */
export function clearSessionCookie(reply: FastifyReply, baseUrl: string): void {
  const secure = comesByHttps(reply.request, baseUrl);
  reply.clearCookie(secure ? secureName : plainName, { path: '/', httpOnly: true, sameSite: 'lax', secure });
}
