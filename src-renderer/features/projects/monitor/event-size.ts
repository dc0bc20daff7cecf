import type { SizeUnits } from '../../../../src-shared/format/quantities.ts';

const unitOf = (units: SizeUnits): number => (units === 'iec' ? 1024 ** 3 : 1000 ** 3);
/** In units, within the service's limits: a MiB to a PiB. */
const minSize = 0.002;
const maxSize = 1_000_000;

/** The unit of the entered size of stored events. */
export function sizeUnit(units: SizeUnits): string {
  return units === 'iec' ? 'GiB' : 'GB';
}

/** A size as entered; empty for none. */
export function sizeText(bytes: number | null, units: SizeUnits): string {
  return bytes === null ? '' : String(Math.round((bytes / unitOf(units)) * 1000) / 1000);
}

/** @returns bytes, null for an empty text, undefined for an invalid size. */
export function readSize(text: string, units: SizeUnits): number | null | undefined {
  if (text === '') return null;
  const value = Number(text.replace(',', '.'));
  return /^[0-9]*[.,]?[0-9]+$/.test(text) && value >= minSize && value <= maxSize
    ? Math.round(value * unitOf(units))
    : undefined;
}

/** Error text with the accepted range. */
export function sizeProblem(units: SizeUnits): string {
  return `A number of ${sizeUnit(units)} from ${minSize} to ${maxSize}, such as 2.5.`;
}
