const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Software reports shortly before the first file is written and after the last one, and clocks differ. */
export const marginMs = 5 * minute;
/** Files whose times are further apart were not written by one run. */
export const maxSpanMs = 31 * day;
/** Up to this span events are looked up by minute, beyond it by hour. */
export const maxSpanByMinuteMs = 2 * day;
const maxSteps = 120;

/** Counts of events by minute, or by hour. */
export type TimeUnit = 'minute' | 'hour';
export const unitMs: Readonly<Record<TimeUnit, number>> = { minute, hour };

/** The time in which events belong to a run, in whole units since 1970. */
export interface RunWindow {
  readonly unit: TimeUnit;
  readonly from: number;
  /** The first unit after it. */
  readonly until: number;
  /** Units of a step of the chart. */
  readonly step: number;
}

/** @returns null when the times are too far apart. */
export function windowOf(beganAt: number, endedAt: number): RunWindow | null {
  const span = endedAt - beganAt;
  if (span > maxSpanMs) return null;
  const unit: TimeUnit = span > maxSpanByMinuteMs ? 'hour' : 'minute';
  const from = Math.floor((beganAt - marginMs) / unitMs[unit]);
  const until = Math.floor((endedAt + marginMs) / unitMs[unit]) + 1;
  return { unit, from, until, step: Math.ceil((until - from) / maxSteps) };
}
