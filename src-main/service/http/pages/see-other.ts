import type { FastifyReply } from 'fastify';

/** Redirects a browser to a GET (303). Never cached: the target depends on the user. */
export function seeOther(reply: FastifyReply, location: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(location, 303);
}
