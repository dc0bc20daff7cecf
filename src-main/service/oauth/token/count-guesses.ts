import type { FastifyRequest } from 'fastify';
import { AttemptLimit, beginAttempt } from '../../accounts/attempts/attempt-limit.ts';
import { formText } from '../../accounts/sign-in/form-text.ts';
import type { Cluster } from '../../database/cluster/cluster.ts';
import { networkFactor, networkOf } from '../../http/network-of.ts';
import { HttpProblem } from '../../common/problem.ts';
import { tooManyOAuthAttempts } from '../shared/oauth-error.ts';

/** Limits of failed attempts for one address, and for its network as a whole. */
export interface GuessLimits {
  readonly ofAddress: AttemptLimit;
  readonly ofNetwork: AttemptLimit;
}

/**
 * At most `max` wrong secrets and passwords for an address within `windowMs` milliseconds; a
 * multiple of it for its network.
 */
export function guessLimits(max: number, windowMs: number, cluster: Pick<Cluster, 'live'>): GuessLimits {
  return {
    ofAddress: new AttemptLimit(max, windowMs, cluster),
    ofNetwork: new AttemptLimit(max * networkFactor, windowMs, cluster),
  };
}

/**
 * Runs the work unless its address or network has sent too many wrong secrets and passwords.
 *
 * @throws HttpProblem 429 with Retry-After, and any error of the work.
 */
export async function countGuesses<Result>(
  limits: GuessLimits,
  request: FastifyRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  const attempt = await beginAttempt([
    { limit: limits.ofAddress, key: request.ip },
    { limit: limits.ofNetwork, key: networkOf(request.ip) },
  ]);
  if (typeof attempt === 'number') throw tooManyOAuthAttempts(attempt);
  let failed = false;
  try {
    return await work();
  } catch (error) {
    failed = error instanceof HttpProblem && isGuess(error, request);
    throw error;
  } finally {
    attempt.end(failed);
  }
}

// Wrong codes and tokens do not count: with 256 bits they cannot be guessed.
function isGuess(problem: HttpProblem, request: FastifyRequest): boolean {
  return (
    problem.error === 'invalid_client' ||
    (problem.error === 'invalid_grant' && formText(request, 'grant_type') === 'password')
  );
}
