import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isServerFull, temporaryFailure } from '../../database/engines/database-failures.ts';
import { errorCode } from '../../common/error-code.ts';
import { apiCacheControl } from '../semantics/cache-control.ts';
import { maxPathSegmentLength } from './listener-limits.ts';
import { gitlabBody, HttpProblem, problemBody } from '../../common/problem.ts';

const lockedRetrySeconds = 5;

/**
 * Sends an expected failure in the shape of its route; without a route, in that of the routes at
 * similar addresses.
 */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: HttpProblem,
  errors = request.routeOptions.config?.errors,
): FastifyReply {
  const gitlab = errors === 'gitlab';
  return reply
    .code(problem.status)
    .headers({
      ...problem.headers,
      'cache-control': apiCacheControl(request.url),
      'x-content-type-options': 'nosniff',
      'x-request-id': request.id,
    })
    .type(gitlab ? 'application/json' : 'application/problem+json')
    .serializer((body: string) => body)
    .send(gitlab ? gitlabBody(problem) : problemBody(problem, request.id));
}

/**
 * Turns every failure into a problem: expected ones with their texts, unexpected ones with only a
 * request id.
 */
export function errorHandler(
  error: FastifyError | HttpProblem,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  return sendProblem(request, reply, asProblem(error, request));
}

/** The problem to answer an unexpected failure with; also logs the failure. */
export function asProblem(error: FastifyError | HttpProblem, request: Pick<FastifyRequest, 'log'>): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error.validation)
    return new HttpProblem(400, `The request is not valid: ${error.message}.`, { type: 'invalid-request' });
  // Fastify's text repeats the whole address.
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH')
    return new HttpProblem(414, `A part of the address is longer than ${maxPathSegmentLength} characters.`);
  if (error.code === 'FST_ERR_BAD_URL') return new HttpProblem(400, 'The address has a broken percent-encoding.');
  const status = error.statusCode ?? 500;
  if (status < 500) return new HttpProblem(status, error.message);
  const code = errorCode(error);
  const temporary = temporaryFailure(error);
  if (temporary !== null) return laterProblem(temporary, error, request);
  if (isFull(code) || isServerFull(error)) {
    request.log.error({ err: error }, 'disk full');
    return new HttpProblem(
      507,
      'The disk of the data directory is full. Free some space and try again; nothing stored was lost.',
      { type: 'disk-full' },
    );
  }
  if (isReadOnly(code)) {
    request.log.error({ err: error }, 'data directory not writable');
    return new HttpProblem(503, 'The data directory cannot be written. Check its permissions and its disk.', {
      type: 'data-read-only',
    });
  }
  if (isDamaged(code)) {
    request.log.error({ err: error }, 'database damaged');
    return new HttpProblem(
      503,
      'The database in the data directory is damaged. Stop the service, run "benchport doctor", and restore a backup; measurement files are not affected.',
      { type: 'data-damaged' },
    );
  }
  request.log.error({ err: error }, 'unexpected failure');
  return new HttpProblem(500, 'Something failed on the server. The log has the details under this request id.');
}

const laterTexts = {
  locked: {
    type: 'data-locked',
    log: 'another program keeps the database locked',
    text: 'Another program keeps the database locked. Nothing was changed; try again in a moment.',
  },
  away: {
    type: 'data-away',
    log: 'the database does not answer',
    text: 'The database does not answer. Try again in a moment.',
  },
  contended: {
    type: 'data-contended',
    log: 'the database is overloaded',
    text: 'Many requests change the same data. Nothing was changed; try again in a moment.',
  },
} as const;

/** The answer to a request that may work later. */
export function laterProblem(
  why: keyof typeof laterTexts,
  error: unknown,
  request: Pick<FastifyRequest, 'log'>,
): HttpProblem {
  const { type, log, text } = laterTexts[why];
  request.log.warn({ err: error }, log);
  return new HttpProblem(503, text, { type, headers: { 'retry-after': String(lockedRetrySeconds) } });
}

function isFull(code: string): boolean {
  return code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT';
}

function isReadOnly(code: string): boolean {
  return code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_IOERR') || code === 'EROFS';
}

function isDamaged(code: string): boolean {
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}
