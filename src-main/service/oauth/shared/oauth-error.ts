import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { asProblem, sendProblem } from '../../http/server/error-handler.ts';
import { HttpProblem } from '../../common/problem.ts';

/**
 * The error codes of RFC 6749 section 5.2, RFC 7009 section 2.2.1 and RFC 8628 section 3.5 in use.
 */
type Code =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'access_denied'
  | 'temporarily_unavailable'
  | 'server_error';

/**
 * An OAuth error response. The description is a fixed sentence that never repeats input, and
 * contains no quotes or backslashes (RFC 6749 section 5.2).
 */
export function oauthError(
  code: Code,
  description: string,
  status = 400,
  headers: Readonly<Record<string, string>> = {},
): HttpProblem {
  return new HttpProblem(status, description, { error: code, headers });
}

/**
 * 401 for an unknown client or failed authentication; with a challenge only if the client used the
 * Authorization header (RFC 6749 section 5.2).
 */
export function invalidClient(usedBasic: boolean): HttpProblem {
  const description = 'The client is unknown, or its authentication is not valid.';
  return oauthError(
    'invalid_client',
    description,
    401,
    usedBasic ? { 'www-authenticate': 'Basic realm="Benchport"' } : {},
  );
}

/** 429 with the seconds to wait. */
export function tooManyOAuthAttempts(seconds: number): HttpProblem {
  return oauthError('temporarily_unavailable', 'Too many attempts. Try again later.', 429, {
    'retry-after': String(seconds),
  });
}

/**
 * Converts fastify's own and unexpected errors to OAuth errors: their messages might repeat input.
 */
export function sendOAuthFailure(
  thrown: FastifyError | HttpProblem,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = asProblem(thrown, request);
  if (problem.error !== undefined) return sendProblem(request, reply, problem);
  const { status, headers } = problem;
  if (status === 413)
    return sendProblem(request, reply, oauthError('invalid_request', 'The request is too large.', 413));
  if (status === 415) return sendProblem(request, reply, oauthError('invalid_request', 'Send a form, or JSON.', 415));
  if (status < 500) return sendProblem(request, reply, oauthError('invalid_request', 'The request cannot be read.'));
  if (status === 503)
    return sendProblem(
      request,
      reply,
      oauthError('temporarily_unavailable', 'The server is busy. Try again later.', 503, headers),
    );
  return sendProblem(
    request,
    reply,
    oauthError('server_error', 'Something failed on the server. The log has the details.', status, headers),
  );
}
