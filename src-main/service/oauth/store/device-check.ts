import type { DeviceRow } from './device-codes-store.ts';

/** Why a poll gives no token (RFC 8628 section 3.5). */
export type PollRefusal = 'unknown' | 'expired' | 'denied' | 'pending' | 'slow-down';

const slowDownBy = 5;
// A device that keeps to its interval may still come a little early over the network.
const tolerance = 500;

/** Whether a device may have its token now. */
export function checkPoll(row: DeviceRow | undefined, now: number): PollRefusal | null {
  if (!row || row.used_at !== null) return 'unknown';
  if (row.expires_at <= now) return 'expired';
  if (row.decision !== null) return row.decision === 'denied' ? 'denied' : null;
  const early = row.last_polled_at !== null && now < row.last_polled_at + row.interval_seconds * 1000 - tolerance;
  return early ? 'slow-down' : 'pending';
}

/** The seconds that the device has to leave between polls from now on. */
export function intervalAfter(row: DeviceRow, why: PollRefusal): number {
  return why === 'slow-down' ? row.interval_seconds + slowDownBy : row.interval_seconds;
}
