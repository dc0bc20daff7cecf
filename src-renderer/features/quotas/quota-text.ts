import { formatBytes, type SizeUnits } from '../../../src-shared/format/quantities.ts';
import type { Quota } from '../../api/requests/types.ts';

const powers = { mega: 2, giga: 3, tera: 4, peta: 5 } as const;

/** Unit of an entered size. */
export type SizeUnit = keyof typeof powers;

const names: Readonly<Record<SizeUnits, Readonly<Record<SizeUnit, string>>>> = {
  iec: { mega: 'MiB', giga: 'GiB', tera: 'TiB', peta: 'PiB' },
  si: { mega: 'MB', giga: 'GB', tera: 'TB', peta: 'PB' },
};
export const sizeUnits = Object.keys(powers) as readonly SizeUnit[];

export function sizeUnitName(unit: SizeUnit, units: SizeUnits): string {
  return names[units][unit];
}

const bytesIn = (unit: SizeUnit, units: SizeUnits): number => (units === 'iec' ? 1024 : 1000) ** powers[unit];

/** A size as its fields show it: at most three decimals of the largest unit that leaves no 0 before the point. */
export function sizeFields(
  bytes: number | null,
  units: SizeUnits,
): { readonly number: string; readonly unit: SizeUnit } {
  if (bytes === null) return { number: '', unit: 'giga' };
  const unit = sizeUnits.findLast((one) => bytes >= bytesIn(one, units)) ?? 'mega';
  return { number: String(Math.round((bytes / bytesIn(unit, units)) * 1000) / 1000), unit };
}

/** Bytes of an entered size, or why it is none. A comma with three digits behind it could mean thousands. */
export function readSize(
  number: string,
  unit: SizeUnit,
  units: SizeUnits,
): { readonly bytes: number } | { readonly problem: string } {
  const text = number.trim();
  if (text === '') return { problem: 'Enter a number, such as 500 or 1.5.' };
  if (!/^\d+(?:\.\d+|,\d\d?)?$/.test(text))
    return { problem: `“${text}” is no size. Enter a number, such as 500 or 1.5.` };
  const bytes = Math.floor(Number(text.replace(',', '.')) * bytesIn(unit, units));
  if (!Number.isSafeInteger(bytes)) return { problem: 'This is more than any disk has. Choose “No limit”.' };
  return { bytes };
}

/** How much may still be taken; null without a limit. */
function freeBytesOf({ quota_bytes: quota, used_bytes: used }: Quota): number | null {
  return quota === null ? null : Math.max(0, quota - used);
}

/** `12.0 GiB of 50.0 GiB used`; without a limit only what is used. */
export function usedWords({ quota_bytes: quota, used_bytes: used }: Quota, units: SizeUnits): string {
  return quota === null
    ? `${formatBytes(used, units)} used, no limit`
    : `${formatBytes(used, units)} of ${formatBytes(quota, units)} used`;
}

/**
 * Why an upload cannot fit; null when it may.
 * @param limits Of the user and of the project, each with its words, such as `Your limit`.
 */
export function noRoomWords(
  bytes: number,
  limits: readonly { readonly whose: string; readonly quota: Quota | undefined }[],
  units: SizeUnits,
): string | null {
  for (const { whose, quota } of limits) {
    const free = quota === undefined ? null : freeBytesOf(quota);
    if (quota !== undefined && free !== null && bytes > free)
      return `It does not fit: it has ${formatBytes(bytes, units)}. ${whose} is ${formatBytes(quota.quota_bytes ?? 0, units)}, and ${formatBytes(free, units)} of it is free. Remove something for good, or ask an administrator for more.`;
  }
  return null;
}
