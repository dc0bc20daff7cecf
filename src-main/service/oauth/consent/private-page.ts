import type { FastifyReply } from 'fastify';
import { sendPage } from '../../http/pages/page-layout.ts';

/**
 * Keeps the address of a request or response out of caches and referrers: it may hold a code or the
 * parameters of the client.
 */
export function withPrivateHeaders(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
}

/** Sends a page that leaves nothing in caches and referrers. */
export function sendPrivatePage(
  reply: FastifyReply,
  status: number,
  title: string,
  body: Parameters<typeof sendPage>[3],
): FastifyReply {
  return sendPage(withPrivateHeaders(reply), status, title, body);
}
