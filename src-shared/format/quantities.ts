/** Steps of 1024 (`KiB`) or of 1000 (`kB`). */
export type SizeUnits = 'iec' | 'si';

const unitNames: Readonly<Record<SizeUnits, { readonly step: number; readonly names: readonly string[] }>> = {
  iec: { step: 1024, names: ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] },
  si: { step: 1000, names: ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] },
};
const narrowSpace = '\u202f';
// Creating one costs a hundred times as much as using it, and a list of rows is full of counts.
/** The service stops counting a list here. */
const maxCounted = 10_000;
const counts = new Intl.NumberFormat('en');

/** A count with thin separators: `1 204 331`. */
export function formatCount(value: number): string {
  return counts.format(value).replaceAll(',', narrowSpace);
}

/** A total whose count may have stopped early: `2 415`, `more than 10 000`, `at least 17`. */
export function formatTotal(total: number, more: boolean): string {
  if (!more) return formatCount(total);
  return `${total >= maxCounted ? 'more than' : 'at least'} ${formatCount(total)}`;
}

/** A size with at most three or four digits: `38.2 GiB`. */
export function formatBytes(bytes: number, units: SizeUnits = 'iec'): string {
  const { step, names } = unitNames[units];
  let value = Math.max(0, bytes);
  let unit = 0;
  // 1023.95 would be printed as 1024.0, so the step is a little below 1024.
  while (value >= step - 0.05 && unit < names.length - 1) {
    value /= step;
    unit += 1;
  }
  const digits = unit === 0 ? String(Math.round(value)) : value >= 99.95 ? value.toFixed(0) : value.toFixed(1);
  return `${digits} ${names[unit] ?? 'B'}`;
}

/** The exact number behind a size: `41 017 344 bytes`. */
export function exactBytes(bytes: number): string {
  return bytes === 1 ? '1 byte' : `${formatCount(bytes)} bytes`;
}

/** A rate, such as `88.0 MiB/s`. */
export function formatRate(bytesPerSecond: number, units: SizeUnits = 'iec'): string {
  return `${formatBytes(bytesPerSecond, units)}/s`;
}

/** A count with its noun: `1 file`, `1 204 files`. */
export function countOf(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`;
}

/** Progress of a job, between 0 and 1; by bytes where there are any, else by files. */
export function fractionDone(job: {
  files_done: number;
  files_total: number;
  bytes_done: number;
  bytes_total: number;
}): number {
  if (job.bytes_total > 0) return Math.min(1, job.bytes_done / job.bytes_total);
  return job.files_total > 0 ? Math.min(1, job.files_done / job.files_total) : 0;
}
