import { HttpProblem } from '../http/problem.ts';

const dayLength = 86_400_000;

/** No token lives longer than this many days, and one that is made without a day lives as long, as in GitLab. */
export const mostDays = 365;
const daysAfterRotation = 7;

/**
 * The first millisecond of a calendar day in UTC.
 *
 * @throws HttpProblem 400 for what is no day, 2026-02-30 included.
 */
export function parseDay(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text) {
    throw new HttpProblem(400, `${text} is no day. Write one as YYYY-MM-DD.`, { type: 'invalid-request' });
  }
  return time;
}

/**
 * When a new token ends: as the day begins that was asked for, or as late as may be.
 *
 * @throws HttpProblem 400 for a day that has begun already or is too far off.
 */
export function endOfNewToken(wished: string | null, now: number): number {
  return wished === null ? dayFrom(now, mostDays) : checkedEnd(wished, now);
}

/** The same for a token that replaces another one: a week from today unless a day is asked for. */
export function endOfRotatedToken(wished: string | null, now: number): number {
  return wished === null ? dayFrom(now, daysAfterRotation) : checkedEnd(wished, now);
}

function checkedEnd(wished: string, now: number): number {
  const end = parseDay(wished);
  if (end <= now)
    throw new HttpProblem(400, `A token that expires on ${wished} would never work: it ends as that day begins, UTC.`, { type: 'invalid-request' });
  const latest = dayFrom(now, mostDays);
  if (end > latest) {
    const day = new Date(latest).toISOString().slice(0, 10);
    throw new HttpProblem(400, `A token can live ${mostDays} days: expires_at can be ${day} at the latest.`, { type: 'invalid-request' });
  }
  return end;
}

function dayFrom(now: number, days: number): number {
  return now - (now % dayLength) + days * dayLength;
}
