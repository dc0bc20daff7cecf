import type { AuditRetention } from '../../api/requests/types.ts';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import type { Reading } from './text-setting.tsx';

export type RetentionPart = keyof AuditRetention;

interface PartWords {
  readonly label: string;
  readonly unit: string;
  /** The range that the service accepts. */
  readonly min: number;
  readonly max: number;
}

const days = { label: 'Days to keep', unit: 'days', max: 36_500 };
const rows = { label: 'Rows at most', unit: 'rows', min: 100_000, max: 1_000_000_000 };

export const retentionParts: Readonly<Record<RetentionPart, PartWords>> = {
  transfer_days: { ...days, min: 30 },
  transfer_rows: rows,
  audit_days: { ...days, min: 365 },
  audit_rows: rows,
};

/** Reads a number of days or rows; spaces between its digits are ignored. */
export function readRetention(part: RetentionPart, text: string): Reading<number> {
  const { unit, min, max } = retentionParts[part];
  const digits = text.replaceAll(/\s/g, '');
  const value = Number(digits);
  if (/^\d+$/.test(digits) && value >= min && value <= max) return { value };
  return {
    problem: `A whole number of ${unit} from ${formatCount(min)} to ${formatCount(max)}. This has not been saved.`,
  };
}

/** The question before a smaller value deletes rows. */
export function retentionQuestion(
  part: RetentionPart,
  value: number,
  now: Date,
): { readonly title: string; readonly body: string } {
  const transfers = part.startsWith('transfer');
  const what = transfers ? 'transfers and downloads' : 'other events of the audit trail';
  if (part.endsWith('rows')) {
    return {
      title: `Keep no more than ${formatCount(value)} rows?`,
      body: `Within an hour all ${what} but the newest ${formatCount(value)}${transfers ? ' of each' : ''} are deleted. They cannot be brought back. Measurements and their files stay.`,
    };
  }
  const before = new Date(now.getTime() - value * 86_400_000).toISOString().slice(0, 10);
  return {
    title: `Keep only ${formatCount(value)} days?`,
    body: `Within an hour all ${what} from before ${before} are deleted. They cannot be brought back. Measurements and their files stay.`,
  };
}
