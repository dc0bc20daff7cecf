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
