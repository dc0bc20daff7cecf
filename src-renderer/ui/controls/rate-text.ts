import type { SizeUnits } from '../../../src-shared/format/quantities.ts';

/** Minimum that the service accepts, in bytes per second. */
const minRate = 1024;

const unitOf = (units: SizeUnits): number => (units === 'iec' ? 1024 ** 2 : 1000 ** 2);

/** The unit of an entered rate. */
export function rateUnit(units: SizeUnits): string {
  return units === 'iec' ? 'MiB/s' : 'MB/s';
}

/**
 * A rate as entered; empty for no limit.
 * @param rate bytes per second
 */
export function rateText(rate: number | null, units: SizeUnits): string {
  return rate === null ? '' : String(Math.round((rate / unitOf(units)) * 1000) / 1000);
}

/** @returns bytes per second, null for no limit, undefined for an invalid rate. */
export function readRate(text: string, units: SizeUnits): number | null | undefined {
  if (text.trim() === '') return null;
  const bytes = Math.round(Number(text.trim().replace(',', '.')) * unitOf(units));
  return Number.isFinite(bytes) && bytes >= minRate ? bytes : undefined;
}

/** Error text with the expected format. */
export function rateProblem(units: SizeUnits): string {
  return `A number of ${rateUnit(units)}, such as 2.5.`;
}
