const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
const narrowSpace = '\u202f';

/** A count with thin separators: `1 204 331`. */
export function formatCount(value: number): string {
  return new Intl.NumberFormat('en')
    .formatToParts(value)
    .map((part) => (part.type === 'group' ? narrowSpace : part.value))
    .join('');
}

/** A size in IEC units with at most three or four digits: `38.2 GiB`. */
export function formatBytes(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  // 1023.95 would be printed as 1024.0, so the step comes a little earlier than 1024.
  while (value >= 1023.95 && unit < binaryUnits.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 ? String(Math.round(value)) : value >= 99.95 ? value.toFixed(0) : value.toFixed(1);
  return `${digits} ${binaryUnits[unit] ?? 'B'}`;
}

/** The exact number behind a size: `41 017 344 bytes`. */
export function exactBytes(bytes: number): string {
  return bytes === 1 ? '1 byte' : `${formatCount(bytes)} bytes`;
}

export function formatRate(bytesPerSecond: number): string {
  return `${formatBytes(bytesPerSecond)}/s`;
}

/** A count with its noun: `1 file`, `1 204 files`. */
export function countOf(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`;
}

/** How far a job is, between 0 and 1; by bytes where there are any, else by files. */
export function fractionDone(job: { files_done: number; files_total: number; bytes_done: number; bytes_total: number }): number {
  if (job.bytes_total > 0) return Math.min(1, job.bytes_done / job.bytes_total);
  return job.files_total > 0 ? Math.min(1, job.files_done / job.files_total) : 0;
}
