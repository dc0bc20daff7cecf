import { invalidRequest } from '../common/problem.ts';
import { parseDay } from '../common/parse-time.ts';

const dayMs = 86_400_000;

/** Maximum and default lifetime of a token in days, as in GitLab. */
export const maxDays = 365;
const daysAfterRotation = 7;

/**
 * The end of a new token: the start of the requested day, or the latest day allowed.
 *
 * @throws HttpProblem 400 for a day that has begun already or is too far off.
 */
export function endOfNewToken(wanted: string | null, now: number): number {
  return wanted === null ? dayFrom(now, maxDays) : checkedEnd(wanted, now);
}

/**
 * The end of a token that replaces another one: a week from today unless a day is requested.
 *
 * @throws HttpProblem 400 for a day that has begun already or is too far off.
 */
export function endOfRotatedToken(wanted: string | null, now: number): number {
  return wanted === null ? dayFrom(now, daysAfterRotation) : checkedEnd(wanted, now);
}

function checkedEnd(wanted: string, now: number): number {
  const end = parseDay(wanted);
  if (end <= now)
    throw invalidRequest(`A token that expires on ${wanted} would never work: it ends as that day begins, UTC.`);
  const latest = dayFrom(now, maxDays);
  if (end > latest) {
    const day = new Date(latest).toISOString().slice(0, 10);
    throw invalidRequest(`A token can live ${maxDays} days: expires_at can be ${day} at the latest.`);
  }
  return end;
}

function dayFrom(now: number, days: number): number {
  return now - (now % dayMs) + days * dayMs;
}
