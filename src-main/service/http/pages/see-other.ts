import type { FastifyReply } from 'fastify';

/** Leads a browser on with a GET (303). Kept nowhere: where it leads depends on who asks. */
export function seeOther(reply: FastifyReply, location: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(location, 303);
}
