const hour = 3600_000;
const hoursOfWeek = 168;

/** The hour of the week of a moment, local time, from Monday 0 to 1 o'clock. */
function hourOfWeek(at: number): number {
  const date = new Date(at);
  return ((date.getDay() + 6) % 7) * 24 + date.getHours();
}

/** Whether a schedule (`FetchSettings.schedule`) lets fetches run at a moment. */
export function isOpen(schedule: string | null, at: number): boolean {
  return schedule === null || schedule[hourOfWeek(at)] === '1';
}

/** The next moment at which it does, milliseconds since 1970; null when it never does. Clocks that are put forward or back are taken into account. */
export function nextOpening(schedule: string, at: number): number | null {
  for (let ahead = 1; ahead <= hoursOfWeek + 1; ahead += 1) {
    // The full hour in local time: not everywhere is it one in UTC.
    const full = new Date(at + ahead * hour).setMinutes(0, 0, 0);
    if (full > at && isOpen(schedule, full)) return full;
  }
  return null;
}
