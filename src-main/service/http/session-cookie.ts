import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownCookie } from './own-cookie.ts';

const plainName = 'benchport_session';

/** The value of the session's cookie. */
export function readSessionCookie(request: FastifyRequest, baseUrl: string): string | undefined {
  return request.cookies[ownCookie(plainName, request, baseUrl).name];
}

/** Gives a browser its session. */
export function setSessionCookie(reply: FastifyReply, value: string, baseUrl: string, lifetimeMs: number): void {
  const { name, attributes } = ownCookie(plainName, reply.request, baseUrl);
  reply.setCookie(name, value, { ...attributes, maxAge: Math.floor(lifetimeMs / 1000) });
}

/** Takes the session away from a browser. */
export function clearSessionCookie(reply: FastifyReply, baseUrl: string): void {
  const { name, attributes } = ownCookie(plainName, reply.request, baseUrl);
  reply.clearCookie(name, attributes);
}
