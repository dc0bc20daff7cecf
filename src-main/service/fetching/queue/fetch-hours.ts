const hour = 3600_000;
const hoursOfWeek = 168;

/** The hour of the week in local time; 0 is Monday from 0 to 1 o'clock. */
function hourOfWeek(at: number): number {
  const date = new Date(at);
  return ((date.getDay() + 6) % 7) * 24 + date.getHours();
}

/** Whether a schedule (`FetchSettings.schedule`) allows fetches at a time. */
export function isOpen(schedule: string | null, at: number): boolean {
  return schedule === null || schedule[hourOfWeek(at)] === '1';
}

/**
 * The next time the schedule allows fetches, in milliseconds since 1970; null for never. Respects
 * daylight saving time.
 */
export function nextOpening(schedule: string, at: number): number | null {
  for (let ahead = 1; ahead <= hoursOfWeek + 1; ahead += 1) {
    // The full local hour, which is not a full UTC hour everywhere.
    const full = new Date(at + ahead * hour).setMinutes(0, 0, 0);
    if (full > at && isOpen(schedule, full)) return full;
  }
  return null;
}
