import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ownCookie } from '../../http/own-cookie.ts';
import { isFromElsewhere, sameText } from '../../http/csrf.ts';

const plainName = 'benchport_form';

/**
 * CSRF protection for forms without a session, such as the sign-in: the hidden field must be the
 * HMAC of a cookie that only this server can have set (signed double submit, OWASP's CSRF
 * Prevention Cheat Sheet).
 */
export interface FormTokens {
  /** Sets the cookie if the browser has none. @returns the value of the hidden field. */
  issue(request: FastifyRequest, reply: FastifyReply): string;
  isValid(request: FastifyRequest, field: unknown): boolean;
}

/** @param key of the installation: any replica answers a form, also after a restart. */
export function formTokens(key: Buffer, baseUrl: () => string): FormTokens {
  const sign = (cookie: string) => createHmac('sha256', key).update('form ').update(cookie).digest('base64url');
  return {
    issue: (request, reply) => {
      const { name, attributes } = ownCookie(plainName, request, baseUrl());
      const known = request.cookies[name];
      const cookie = known !== undefined && /^[0-9a-f]{32}$/.test(known) ? known : randomBytes(16).toString('hex');
      reply.setCookie(name, cookie, attributes);
      return sign(cookie);
    },
    isValid: (request, field) => {
      if (isFromElsewhere(request)) return false;
      const cookie = request.cookies[ownCookie(plainName, request, baseUrl()).name];
      return cookie !== undefined && typeof field === 'string' && sameText(field, sign(cookie));
    },
  };
}
