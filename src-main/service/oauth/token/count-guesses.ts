import type { FastifyRequest } from 'fastify';
import { AttemptLimit, beginAttempt } from '../../accounts/attempts/attempt-limit.ts';
import { textOf } from '../../accounts/sign-in/form-text.ts';
import { networkFactor, networkOf } from '../../http/network-of.ts';
import { HttpProblem } from '../../common/problem.ts';
import { tooManyAttempts } from '../shared/oauth-error.ts';

/** How many guesses one address may make, and all of its network together. */
export interface GuessLimits {
  readonly ofAddress: AttemptLimit;
  readonly ofNetwork: AttemptLimit;
}

/** At most `max` wrong secrets and passwords of an address within `windowMs` milliseconds, and more of its network. */
export function guessLimits(max: number, windowMs: number): GuessLimits {
  return { ofAddress: new AttemptLimit(max, windowMs), ofNetwork: new AttemptLimit(max * networkFactor, windowMs) };
}

/**
 * Does what a client asks for, unless its address or network has sent too many wrong secrets and passwords.
 *
 * @throws HttpProblem 429 with Retry-After, and what the work throws.
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
  if (typeof attempt === 'number') throw tooManyAttempts(attempt);
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

// Codes and tokens have 256 bits, and a client that mixes them up is none that guesses.
function isGuess(problem: HttpProblem, request: FastifyRequest): boolean {
  return (
    problem.error === 'invalid_client' ||
    (problem.error === 'invalid_grant' && textOf(request, 'grant_type') === 'password')
  );
}
