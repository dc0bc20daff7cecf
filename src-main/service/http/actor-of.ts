import type { FastifyRequest } from 'fastify';
import type { Actor } from './principal.ts';
import { principalOf } from './authentication.ts';

/** Who makes a request and from where, as the audit trail notes it. */
export function actorOf(request: FastifyRequest): Actor {
  const { userId, oauth } = principalOf(request);
  return { userId, address: request.ip, applicationId: oauth?.applicationId ?? null };
}
