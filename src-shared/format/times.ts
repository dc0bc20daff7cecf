const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

// Creating one costs a hundred times as much as using it, and every row of a list has a time.
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayAndYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const localTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

function calendarDay(date: Date, now: Date): string {
  return (date.getFullYear() === now.getFullYear() ? dayOfYear : dayAndYear).format(date);
}

/** How long ago, or how soon, in a short phrase. */
export function formatRelative(timestamp: string, now: Date): string {
  const date = new Date(timestamp);
  const seconds = (now.getTime() - date.getTime()) / 1000;
  const distance = Math.abs(seconds);
  const phrase = (count: number, unit: string): string =>
    seconds >= 0 ? `${count} ${unit} ago` : `in ${count} ${unit}`;
  if (Number.isNaN(distance)) return timestamp;
  if (distance < 45) return 'just now';
  if (distance < hour - 30) return phrase(Math.max(1, Math.round(distance / minute)), 'min');
  if (distance < day - hour / 2) return phrase(Math.max(1, Math.round(distance / hour)), 'h');
  const days = Math.max(1, Math.round(distance / day));
  if (days === 1) return seconds >= 0 ? 'yesterday' : 'tomorrow';
  return days < 14 ? phrase(days, 'days') : calendarDay(date, now);
}

/** The exact time, in UTC and in local time. */
export function exactTime(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return timestamp;
  const utc = date.toISOString().slice(0, 19).replace('T', ' ');
  return `${utc} UTC\n${localTime.format(date)}`;
}

/** A remaining duration. */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 0) return '';
  if (seconds < 1) return '1 s';
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 90 * minute) return `${Math.round(seconds / minute)} min`;
  const hours = Math.floor(seconds / hour);
  const minutes = Math.round((seconds - hours * hour) / minute);
  return minutes === 0 || hours >= 24 ? `${hours} h` : minutes === 60 ? `${hours + 1} h` : `${hours} h ${minutes} min`;
}

/** A calendar day `days` from now, in the format of the API. */
export function dayAfter(days: number, now: Date): string {
  return new Date(now.getTime() + days * day * 1000).toISOString().slice(0, 10);
}

/** The text about the end of a token or a grant, and its urgency. */
export function expiryOf(expiresAt: string | null, now: Date): { text: string; urgency: 'none' | 'soon' | 'over' } {
  if (expiresAt === null) return { text: 'never', urgency: 'none' };
  const left = (new Date(expiresAt).getTime() - now.getTime()) / 1000;
  if (left <= 0) return { text: `expired ${formatRelative(expiresAt, now)}`, urgency: 'over' };
  const urgency = left < 7 * day ? 'soon' : 'none';
  return { text: formatRelative(expiresAt, now), urgency };
}
