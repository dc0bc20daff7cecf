/** A point in time, UTC to the second, such as "2026-03-03 08:15:00Z"; null for none. */
export function formatTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}
