import type { FastifyReply } from 'fastify';
import { sendPage } from '../../http/pages/page-layout.ts';

/**
 * Keeps a request to authorize, or its answer, out of caches and out of the next page's referrer: the address may hold what the client asked for,
 * or a code.
 */
export function withoutTraces(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
}

/** Sends a page that leaves no traces. */
export function sendPrivatePage(
  reply: FastifyReply,
  status: number,
  title: string,
  body: Parameters<typeof sendPage>[3],
): FastifyReply {
  return sendPage(withoutTraces(reply), status, title, body);
}
