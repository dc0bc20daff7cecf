import type { FastifyRequest } from 'fastify';
import { textOf } from '../accounts/form-text.ts';
import { HttpProblem } from '../http/problem.ts';
import type { FailureLimit } from './failure-limit.ts';
import { tooManyAttempts } from './oauth-error.ts';

/**
 * Does what a client asks for, unless its address has sent too many wrong secrets and passwords.
 *
 * @throws HttpProblem 429 with Retry-After, and what the work throws.
 */
export async function countGuesses<Result>(limit: FailureLimit, request: FastifyRequest, work: () => Promise<Result>): Promise<Result> {
  const wait = limit.secondsToWait(request.ip);
  if (wait > 0) throw tooManyAttempts(wait);
  try {
    return await work();
  } catch (error) {
    if (error instanceof HttpProblem && isGuess(error, request)) limit.note(request.ip);
    throw error;
  }
}

// Codes and tokens have 256 bits, and a client that mixes them up is none that guesses.
function isGuess(problem: HttpProblem, request: FastifyRequest): boolean {
  return problem.error === 'invalid_client' || (problem.error === 'invalid_grant' && textOf(request, 'grant_type') === 'password');
}
