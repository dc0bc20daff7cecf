const hour = 3600_000;
const day = 24 * hour;

const hourOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayName = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Start and end of an hour in local time; `back` hours before the current one. */
export function hourLabel(now: Date, back: number): string {
  const start = Math.floor(now.getTime() / hour) * hour - back * hour;
  return `${hourOfDay.format(start)} to ${hourOfDay.format(start + hour)}`;
}

/** Labels of the 24-hour axis: every six hours, at hours of the local clock. */
export function hourTicks(now: Date, hours: number): { position: number; word: string }[] {
  const first = Math.floor(now.getTime() / hour) * hour - (hours - 1) * hour;
  return Array.from({ length: hours }, (_, position) => position)
    .filter((position) => new Date(first + position * hour).getHours() % 6 === 0)
    .map((position) => ({ position, word: hourOfDay.format(first + position * hour) }));
}

/**
 * Labels of an axis of days in UTC: one every `every` days, counted back from today. `perDay` bars
 * are a day.
 */
export function dayTicks(now: Date, days: number, every: number, perDay = 1): { position: number; word: string }[] {
  const today = Math.floor(now.getTime() / day);
  // Bars of hours begin in the middle of a day.
  const intoToday = perDay === 1 ? 0 : Math.floor((now.getTime() % day) / (day / perDay));
  const last = days * perDay - 1 - intoToday;
  return Array.from({ length: days }, (_, back) => back)
    .filter((back) => back % every === 0)
    .map((back) => ({ position: last - back * perDay, word: shortDay.format((today - back) * day) }))
    .filter(({ position }) => position >= 0);
}

/** A day in UTC; `back` days before today. */
export function dayLabel(now: Date, back: number): string {
  return `${dayName.format(Math.floor(now.getTime() / day) * day - back * day)} (UTC)`;
}

/** Number of days before today (UTC). */
export function daysBack(now: Date, timestamp: string): number {
  return Math.floor(now.getTime() / day) - Math.floor(new Date(timestamp).getTime() / day);
}

/** Time before or after the event: `−1.20 s`, `+3 min`. Empty when unknown. */
export function offsetOf(timestamp: string | null, occurredAt: string): string {
  if (timestamp === null) return '';
  const ms = new Date(timestamp).getTime() - new Date(occurredAt).getTime();
  if (Number.isNaN(ms)) return '';
  const sign = ms > 0 ? '+' : '−';
  const distance = Math.abs(ms);
  if (distance < 1) return '0 s';
  if (distance < 1000) return `${sign}${Math.round(distance)} ms`;
  if (distance < 60_000) return `${sign}${(distance / 1000).toFixed(distance < 10_000 ? 2 : 1)} s`;
  if (distance < hour) return `${sign}${Math.floor(distance / 60_000)} min ${Math.round((distance % 60_000) / 1000)} s`;
  if (distance < 2 * day) return `${sign}${(distance / hour).toFixed(1)} h`;
  return `${sign}${Math.round(distance / day)} days`;
}
