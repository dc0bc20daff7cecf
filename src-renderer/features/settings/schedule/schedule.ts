export const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
export const hoursOfDay = 24;
const hoursOfWeek = days.length * hoursOfDay;

/**
 * The service's format of a week: 168 digits from Monday 0 to 1 o'clock, `1` for hours in which
 * fetching runs.
 */
export type Schedule = string;

/** Index of an hour in a schedule. */
export const hourAt = (day: number, hour: number): number => day * hoursOfDay + hour;

const made = (runs: (day: number, hour: number) => boolean): Schedule =>
  Array.from({ length: hoursOfWeek }, (_, index) =>
    runs(Math.floor(index / hoursOfDay), index % hoursOfDay) ? '1' : '0',
  ).join('');

/** Predefined schedules. */
export const defaultSchedules: readonly { readonly word: string; readonly schedule: Schedule }[] = [
  { word: 'Nights and weekends', schedule: made((day, hour) => day >= 5 || hour < 7 || hour >= 19) },
  { word: 'Nights', schedule: made((_day, hour) => hour < 7 || hour >= 19) },
  { word: 'Weekends', schedule: made((day) => day >= 5) },
  { word: 'All hours', schedule: made(() => true) },
  { word: 'No hours', schedule: made(() => false) },
];

/** Sets every hour of the rectangle between two hours of the grid, both included. */
export function painted(schedule: Schedule, from: number, to: number, runs: boolean): Schedule {
  const within = (value: number, one: number, other: number): boolean =>
    value >= Math.min(one, other) && value <= Math.max(one, other);
  const dayOf = (index: number): number => Math.floor(index / hoursOfDay);
  return Array.from(schedule)
    .map((digit, index) =>
      within(dayOf(index), dayOf(from), dayOf(to)) && within(index % hoursOfDay, from % hoursOfDay, to % hoursOfDay)
        ? runs
          ? '1'
          : '0'
        : digit,
    )
    .join('');
}

/**
 * The schedule in words: `Monday to Friday 0:00 to 7:00 and 19:00 to 24:00; Saturday and Sunday all
 * day`.
 */
export function describeSchedule(schedule: Schedule): string {
  if (!schedule.includes('1')) return 'At no hour';
  if (!schedule.includes('0')) return 'At all hours';
  const words = days.map((_, day) => wordsOfDay(schedule.slice(hourAt(day, 0), hourAt(day + 1, 0))));
  const parts: string[] = [];
  for (let day = 0; day < days.length;) {
    let last = day;
    while (words[last + 1] === words[day]) last += 1;
    if (words[day] !== '') parts.push(`${daysBetween(day, last)} ${words[day]}`);
    day = last + 1;
  }
  return parts.join('; ');
}

function daysBetween(first: number, last: number): string {
  if (first === 0 && last === days.length - 1) return 'Every day';
  if (first === last) return days[first] ?? '';
  return `${days[first]} ${last === first + 1 ? 'and' : 'to'} ${days[last]}`;
}

function wordsOfDay(hours: string): string {
  if (!hours.includes('0')) return 'all day';
  return [...hours.matchAll(/1+/g)].map(({ index, 0: run }) => `${index}:00 to ${index + run.length}:00`).join(' and ');
}
