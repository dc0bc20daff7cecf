import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { limitedLog } from '../../logging/limited-log.ts';
import { urlForLog } from '../../logging/logging.ts';

/** Routes without authentication whose success needs a password, a token or a client's secret. */
const authenticatedBySuccess: ReadonlySet<string | undefined> = new Set(['/oauth/token', '/users/sign_in']);

/** Whether a client without any credential can cause such a line as often as it likes. */
function isAnonymous(request: FastifyRequest, reply: FastifyReply): boolean {
  return (
    request.principal === null &&
    (reply.statusCode >= 400 || request.method === 'OPTIONS' || !authenticatedBySuccess.has(request.routeOptions.url))
  );
}

/**
 * Logs one line a request: our failures and writes at `info` and above, the many reads at `debug`;
 * transfers are in the audit trail.
 */
export function logResponse(log: Logger): (request: FastifyRequest, reply: FastifyReply, done: () => void) => void {
  // Nothing in this line can be a secret (see `urlForLog`), and redaction costs a fifth of issuing
  // a token.
  const plain = log.child({}, { redact: [] });
  const limited = limitedLog(plain);
  return (request, reply, done) => {
    const reads = request.method === 'GET' || request.method === 'HEAD' || request.routeOptions.config.reads === true;
    const level = reply.statusCode >= 500 ? 'error' : reads ? 'debug' : 'info';
    // Checked before the line is built: most requests are reads, which are not logged at the
    // default level.
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
