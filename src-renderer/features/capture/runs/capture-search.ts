import type { CaptureCounts, CaptureFilter } from '../../../api/requests/types.ts';

export interface CaptureFilterWords {
  readonly value: CaptureFilter;
  readonly word: string;
  /** Where the service's counts have its number. */
  readonly count: keyof CaptureCounts;
}

export const captureFilters: readonly CaptureFilterWords[] = [
  { value: 'all', word: 'All', count: 'all' },
  { value: 'needs-you', word: 'Needs you', count: 'needs_you' },
  { value: 'waiting', word: 'Waiting', count: 'waiting' },
  { value: 'done', word: 'Registered', count: 'done' },
  { value: 'skipped', word: 'Skipped', count: 'skipped' },
];

/** Parameters in the address of the Capture screen. */
export interface CaptureSearch {
  /** The rule whose runs are shown; those of all rules without it. */
  readonly rule?: number;
  readonly filter?: Exclude<CaptureFilter, 'all'>;
  readonly search?: string;
  /** Counted from 1. */
  readonly page?: number;
}

/** Keeps only valid parameters. */
export function readCaptureSearch(raw: Readonly<Record<string, unknown>>): CaptureSearch {
  const found = captureFilters.find(({ value }) => value === raw['filter'])?.value ?? 'all';
  const rule = Number(raw['rule']);
  const page = Number(raw['page']);
  const search =
    typeof raw['search'] === 'string' || typeof raw['search'] === 'number' ? String(raw['search']).slice(0, 200) : '';
  return {
    ...(Number.isSafeInteger(rule) && rule > 0 ? { rule } : {}),
    ...(found === 'all' ? {} : { filter: found }),
    ...(search === '' ? {} : { search }),
    ...(Number.isSafeInteger(page) && page > 1 ? { page } : {}),
  };
}
