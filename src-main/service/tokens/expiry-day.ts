import { HttpProblem } from '../http/problem.ts';

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
