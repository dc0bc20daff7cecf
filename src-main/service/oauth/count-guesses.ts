import type { FastifyRequest } from 'fastify';
import { textOf } from '../accounts/form-text.ts';
import { networkOf } from '../http/network-of.ts';
import { HttpProblem } from '../http/problem.ts';
import type { FailureLimit } from './failure-limit.ts';
import { tooManyAttempts } from './oauth-error.ts';

/** How many guesses one address may make, and all of its network together. */
export interface GuessLimits {
  readonly ofAddress: FailureLimit;
  readonly ofNetwork: FailureLimit;
}

/**
 * Does what a client asks for, unless its address or network has sent too many wrong secrets and passwords.
 *
 * @throws HttpProblem 429 with Retry-After, and what the work throws.
 */
export async function countGuesses<Result>(limits: GuessLimits, request: FastifyRequest, work: () => Promise<Result>): Promise<Result> {
  const network = networkOf(request.ip);
  const wait = Math.max(limits.ofAddress.secondsToWait(request.ip), limits.ofNetwork.secondsToWait(network));
  if (wait > 0) throw tooManyAttempts(wait);
  try {
    return await work();
  } catch (error) {
    if (error instanceof HttpProblem && isGuess(error, request)) {
      limits.ofAddress.note(request.ip);
      limits.ofNetwork.note(network);
    }
    throw error;
  }
}

// Codes and tokens have 256 bits, and a client that mixes them up is none that guesses.
function isGuess(problem: HttpProblem, request: FastifyRequest): boolean {
  return problem.error === 'invalid_client' || (problem.error === 'invalid_grant' && textOf(request, 'grant_type') === 'password');
}
