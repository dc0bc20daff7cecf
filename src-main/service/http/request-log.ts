import type { FastifyReply, FastifyRequest } from 'fastify';
import { urlForLog } from '../logging.ts';

/** One line a request: failures of ours and writes at `info` and above, the many reads at `debug`; transfers have the audit trail. */
export async function logResponse(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const level = reply.statusCode >= 500 ? 'error' : request.method === 'GET' || request.method === 'HEAD' ? 'debug' : 'info';
  request.log[level](
    { method: request.method, url: urlForLog(request.url), status: reply.statusCode, ms: Math.round(reply.elapsedTime), user: request.principal?.username },
    'request',
  );
}
