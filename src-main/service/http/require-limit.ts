import type { FastifyRequest } from 'fastify';
import { countOf } from '../common/count-of.ts';
import type { App } from './app.ts';
import { HttpProblem } from '../common/problem.ts';

type Check = ReturnType<App['createRateLimit']>;

/**
 * Counts a request against each limit.
 *
 * @returns the seconds to wait when one is exceeded, 0 when none is.
 */
export async function secondsToWait(request: FastifyRequest, limits: readonly Check[]): Promise<number> {
  let wait = 0;
  for (const limit of limits) {
    const state = await limit(request);
    if (!state.isAllowed && state.isExceeded) wait = Math.max(wait, state.ttlInSeconds, 1);
  }
  return wait;
}

/** @throws HttpProblem 429 with Retry-After when one of the limits is exceeded. */
export async function requireLimit(request: FastifyRequest, limits: readonly Check[]): Promise<void> {
  const wait = await secondsToWait(request, limits);
  if (wait === 0) return;
  throw tooManyAttempts(wait);
}

/** 429 with Retry-After. */
export function tooManyAttempts(seconds: number): HttpProblem {
  return new HttpProblem(429, `Too many attempts. Try again in ${countOf(seconds, 'second')}.`, {
    type: 'too-many-attempts',
    headers: { 'retry-after': String(seconds) },
  });
}
