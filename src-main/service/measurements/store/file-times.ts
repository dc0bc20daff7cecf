/** From the first to the last modification of the files of a measurement, milliseconds since 1970. */
export interface FileTimes {
  readonly beganAt: number;
  readonly endedAt: number;
}

/**
 * The earliest time that can be one: before it are the times of files that have none, such as those of
 * reproducible archives (1980) and of packages (1985).
 */
export const minFileTime = Date.UTC(1990, 0, 1);
/** How far the clock of an instrument may be ahead of the service's. */
export const maxAheadMs = 24 * 3600_000;

/** The latest time that a file can have which is seen now. */
export function maxFileTime(now: number): number {
  return now + maxAheadMs;
}

/**
 * SQL for the milliseconds of a time in nanoseconds, which is stored as text; null beyond the years
 * 1973 to 2255, whose numbers fit into an integer.
 */
export function millisecondsOf(column: string): string {
  return `CASE WHEN length(${column}) = 18 OR length(${column}) = 19 AND ${column} < '9' THEN CAST(${column} AS bigint) / 1000000 END`;
}

/** Times as a query gives them. */
export interface TimesRow {
  readonly began: number | null;
  readonly ended: number | null;
}

export function timesOf(row: TimesRow | null): FileTimes | null {
  const { began = null, ended = null } = row ?? {};
  return began === null || ended === null ? null : { beganAt: began, endedAt: ended };
}

/** Widens a range of times by one more; times that cannot be those of files are passed over. */
export function withTime(times: FileTimes | null, at: number, now: number): FileTimes | null {
  if (!(at >= minFileTime && at <= maxFileTime(now))) return times;
  if (times === null) return { beganAt: at, endedAt: at };
  return { beganAt: Math.min(times.beganAt, at), endedAt: Math.max(times.endedAt, at) };
}
