import { invalidRequest } from './problem.ts';

const moment = /^(\d{4}-\d{2}-\d{2})T[\d:.]+(Z|[+-]\d{2}:\d{2})?$/;

/** Whether a text has the form of a calendar day, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

/**
 * The first millisecond of a calendar day in UTC.
 *
 * @throws HttpProblem 400 for a text that is not a day, 2026-02-30 included.
 */
export function parseDay(text: string): number {
  const time = isDay(text) ? Date.parse(`${text}T00:00:00.000Z`) : Number.NaN;
  // Date.parse reads February 30 as March 2.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text)
    throw invalidRequest(`${text} is not a date. Write it as YYYY-MM-DD.`);
  return time;
}

/**
 * A point in time in ISO 8601, or the start of a day; UTC without an offset.
 *
 * @returns milliseconds since 1970.
 * @throws HttpProblem 400 for anything else.
 */
export function parseMoment(text: string): number {
  if (!text.includes('T')) return parseDay(text);
  const [, day, offset] = moment.exec(text) ?? [];
  if (day !== undefined) parseDay(day);
  const time = day === undefined ? Number.NaN : Date.parse(offset === undefined ? `${text}Z` : text);
  if (Number.isNaN(time)) throw invalidRequest(`${text} is not a time. Write it as 2026-03-01T08:00:00Z.`);
  return time;
}
