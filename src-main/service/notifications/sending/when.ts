import type { NotificationRuleInput } from '../../contract/notifications/notifications.ts';

const hourMs = 3_600_000;
/** In local time. */
const dailyAtHour = 8;

/** Milliseconds until the next attempt, by the number of those before; then it is given up. */
const retryMs = [5_000, 30_000, 120_000, 600_000, hourMs, 4 * hourMs, 12 * hourMs, 24 * hourMs];

/** @returns null when it is given up. */
export function retryAt(attempts: number, now: number): number | null {
  const delay = retryMs[attempts];
  return delay === undefined ? null : now + delay;
}

type Times = Pick<NotificationRuleInput, 'digest' | 'quiet_from' | 'quiet_until'>;

/** Whether a rule may send now what has been waiting since a time. */
export function isTime(times: Times, waitingSince: number, now: number): boolean {
  if (isQuiet(times, now)) return false;
  if (times.digest === 'hourly') return Math.floor(now / hourMs) > Math.floor(waitingSince / hourMs);
  // A clock that was set back must not keep messages for ever.
  if (times.digest === 'daily') return dayOf(now) !== dayOf(waitingSince);
  return true;
}

/** Quiet hours may span midnight; the same hour twice is none. */
function isQuiet({ quiet_from: from, quiet_until: until }: Times, now: number): boolean {
  if (from === null || until === null || from === until) return false;
  const hour = new Date(now).getHours();
  return from < until ? hour >= from && hour < until : hour >= from || hour < until;
}

/** The day of a daily message, which begins when it is sent. */
function dayOf(time: number): string {
  return new Date(time - dailyAtHour * hourMs).toDateString();
}
