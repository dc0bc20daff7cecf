import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { limitedLog } from '../../logging/limited-log.ts';
import { urlForLog } from '../../logging/logging.ts';

/** Where nobody is known before, and success needs a password, a token or a client's secret. */
const authenticatedBySuccess: ReadonlySet<string | undefined> = new Set(['/oauth/token', '/users/sign_in']);

/** Whether anybody can have such a line written, as often as they like. */
function isAnonymous(request: FastifyRequest, reply: FastifyReply): boolean {
  return (
    request.principal === null &&
    (reply.statusCode >= 400 || request.method === 'OPTIONS' || !authenticatedBySuccess.has(request.routeOptions.url))
  );
}

/** One line a request: failures of ours and writes at `info` and above, the many reads at `debug`; transfers have the audit trail. */
export function logResponse(log: Logger): (request: FastifyRequest, reply: FastifyReply, done: () => void) => void {
  // Nothing in this line can be a secret (see `urlForLog`), and looking for one costs a fifth of issuing a token.
  const plain = log.child({}, { redact: [] });
  const limited = limitedLog(plain);
  return (request, reply, done) => {
    const reads = request.method === 'GET' || request.method === 'HEAD' || request.routeOptions.config.reads === true;
    const level = reply.statusCode >= 500 ? 'error' : reads ? 'debug' : 'info';
    // Asked first: most lines are of reads, and are not wanted.
    if (plain.isLevelEnabled(level)) {
      const fields = {
        reqId: request.id,
        method: request.method,
        url: urlForLog(request.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        user: request.principal?.username,
        address: request.ip,
      };
      if (level !== 'debug' && isAnonymous(request, reply))
        limited(`${reply.statusCode} ${request.method} ${request.routeOptions.url ?? ''}`, fields, 'request', level);
      else plain[level](fields, 'request');
    }
    done();
  };
}
