import type { DeviceRow } from './device-rows.ts';
import type { DeviceStage } from './device-states.ts';

/** Reasons why a poll returns no token (RFC 8628 section 3.5). */
export type PollRefusal = 'unknown' | 'expired' | 'denied' | 'pending' | 'slow-down';

const slowDownBy = 5;
// Milliseconds by which network delays may shorten a correct polling interval.
const tolerance = 500;

const refusals: Readonly<Record<DeviceStage, PollRefusal | null>> = {
  waiting: 'pending',
  approved: null,
  denied: 'denied',
  used: 'unknown',
  expired: 'expired',
};

/** Checks whether a poll may receive its token; null when it may. */
export function checkPoll(row: DeviceRow | null, now: number): PollRefusal | null {
  const why = row ? refusals[row.stage] : 'unknown';
  const isEarly =
    row !== null && row.last_polled_at !== null && now < row.last_polled_at + row.interval_seconds * 1000 - tolerance;
  return why === 'pending' && isEarly ? 'slow-down' : why;
}

/** The polling interval in seconds that the device must observe after this response. */
export function intervalAfter(row: DeviceRow, why: PollRefusal): number {
  return why === 'slow-down' ? row.interval_seconds + slowDownBy : row.interval_seconds;
}
