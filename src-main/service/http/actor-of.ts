import type { FastifyRequest } from 'fastify';
import type { Actor } from './principal.ts';
import { principalOf } from './authentication.ts';

/** The user and address of a request, for the audit trail. */
export function actorOf(request: FastifyRequest): Actor {
  const { userId, oauth } = principalOf(request);
  return { userId, address: request.ip, applicationId: oauth?.applicationId ?? null };
}
