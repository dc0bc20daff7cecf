const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** A size in IEC units, such as "1.2 GiB". */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** A point in time, UTC to the second, such as "2026-03-03 08:15:00Z"; null for none. */
export function formatTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : `${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}
