import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { urlForLog } from '../logging.ts';

/** One line a request: failures of ours and writes at `info` and above, the many reads at `debug`; transfers have the audit trail. */
export function logResponse(log: Logger): (request: FastifyRequest, reply: FastifyReply, done: () => void) => void {
  // Nothing in this line can be a secret (see `urlForLog`), and looking for one costs a fifth of issuing a token.
  const plain = log.child({}, { redact: [] });
  return (request, reply, done) => {
    const reads = request.method === 'GET' || request.method === 'HEAD' || request.routeOptions.config.reads === true;
    const level = reply.statusCode >= 500 ? 'error' : reads ? 'debug' : 'info';
    // Asked first: most lines are of reads, and are not wanted.
    if (plain.isLevelEnabled(level)) {
      plain[level](
        {
          reqId: request.id,
          method: request.method,
          url: urlForLog(request.url),
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime),
          user: request.principal?.username,
          address: request.ip,
        },
        'request',
      );
    }
    done();
  };
}
